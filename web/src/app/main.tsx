import "@/app/style.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "@/app/queries";
import { router } from "@/app/router";
import { followSystemTheme } from "@/lib/theme";

followSystemTheme();
// the server was updated and the parts that this page wants are gone: the new page has its own
window.addEventListener("vite:preloadError", () => location.reload());

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
