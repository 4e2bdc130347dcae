import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { createQueryClient } from "./http/query-client.ts";
import { LoadingNote } from "./loading-note.tsx";
import { applyTheme } from "./stored-theme.ts";
import { Toasts } from "./toasts.tsx";

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
