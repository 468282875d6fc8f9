import { QueryClient } from "@tanstack/react-query";
import { Problem } from "@/lib/api";

/** Data is kept fresh by the event stream, so nothing is fetched again only because time went by. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      refetchOnWindowFocus: false,
      retry: (failures, error) => error instanceof Problem && (error.unreachable || error.status >= 500) && failures < 8,
      retryDelay: (attempt) => Math.min(5_000, 250 * 2 ** attempt),
      // a request that fails because the server restarts is tried again, whatever the browser thinks of the network
      networkMode: "always",
    },
    mutations: { networkMode: "always", retry: false },
  },
});
