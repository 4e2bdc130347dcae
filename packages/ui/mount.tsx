import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClient, QueryClientProvider, useIsFetching, type Query } from "@tanstack/react-query";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { Problem } from "./http/request.ts";
import { ownWords } from "./own-words.ts";
import { applyTheme } from "./stored-theme.ts";
import { Toasts } from "./toasts.tsx";
import { useLoading } from "./use-loading.ts";

/** Renders an entry's application into its page, with what every page needs around it. */
export function mount(application: ReactNode): void {
  applyTheme();
  const root = document.getElementById("root");
  if (root === null) throw new Error("The page has no #root.");
  createRoot(root).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={createQueryClient()}>
          <LoadingNote />
          <Toasts>{application}</Toasts>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}

/**
 * Says that something on the page is on its way: what it has never shown, and what it shows another answer in the place
 * of. What is fetched again, as every few seconds, is not. The element stays, because an appearing one is not read out.
 */
function LoadingNote() {
  const isShown = useLoading(useIsFetching({ predicate: isAwaited }) > 0);
  return (
    // A dialog hides everything else from a screen reader but what has `aria-live`.
    <div role="status" aria-live="polite">
      {isShown && <p className="loading-note">{ownWords().loading}</p>}
    </div>
  );
}

function isAwaited(query: Query): boolean {
  return query.state.data === undefined && query.isActive();
}

const MAX_RETRIES = 2;

/**
 * Old data stay on the page while they are fetched again; only what may pass by itself is retried. What is asked without
 * a connection fails at once, instead of happening unseen when it is back.
 */
function createQueryClient(): QueryClient {
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
