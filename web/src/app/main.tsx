import "@/app/style.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "@/app/queries";
import { router } from "@/app/router";
import { Problem } from "@/lib/api";
import { renew } from "@/lib/lazy";
import { followSystemTheme } from "@/lib/theme";

followSystemTheme();
window.addEventListener("vite:preloadError", () => void renew());
// Shows notifications, and a page of ours instead of the browser's own where the server cannot be reached. Browsers that
// have none (plain http from another machine) miss only that.
if (import.meta.env.PROD && "serviceWorker" in navigator) {
  window.addEventListener("load", () => void navigator.serviceWorker.register("/worker.js").catch(() => undefined));
}

const root = document.getElementById("root");
if (root) {
  createRoot(root, {
    // a problem is shown in the page's own words; anything else is a mistake of ours
    onCaughtError: (error) => error instanceof Problem || console.error(error),
  }).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
