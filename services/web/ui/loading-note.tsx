import { useIsFetching, type Query } from "@tanstack/react-query";
import { useLoading } from "./use-loading.ts";

/**
 * Says that something on the page is on its way: what it has never shown, and what it shows another answer in the place
 * of. What is fetched again, as every few seconds, is not. The element stays, because an appearing one is not read out.
 */
export function LoadingNote() {
  const isShown = useLoading(useIsFetching({ predicate: isAwaited }) > 0);
  return (
    // A dialog hides everything else from a screen reader but what has `aria-live`.
    <div role="status" aria-live="polite">
      {isShown && <p className="loading-note">Loading…</p>}
    </div>
  );
}

function isAwaited(query: Query): boolean {
  return query.state.data === undefined && query.isActive();
}
