import { QueryClient } from "@tanstack/react-query";
import { Problem } from "./problem.ts";

const MAX_RETRIES = 2;

/**
 * Old data stay on the page while they are fetched again; only what may pass by itself is retried. What is asked without
 * a connection fails at once, instead of happening unseen when it is back.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always",
        staleTime: 2_000,
        refetchOnWindowFocus: true,
        retry: (count, error) => count < MAX_RETRIES && isPassing(error),
      },
      mutations: { networkMode: "always", retry: false },
    },
  });
}

function isPassing(error: unknown): boolean {
  return error instanceof Problem && (error.status === 0 || error.status >= 502);
}
