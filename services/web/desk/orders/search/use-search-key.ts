import { useLocation } from "wouter";
import { useKeyActions } from "../../keys/key-table.ts";

/** Marks the page's search box, which the key `/` goes to: `<input {...SEARCH_BOX}>`. */
export const SEARCH_BOX = { "data-search": "" } as const;

/** What a navigation to the orders says where the search box is wanted. */
export interface SearchState {
  readonly wantsSearch?: boolean;
}

/** The key `/`, anywhere in the desk: the search box of the page, or that of the orders where the page has none. */
export function useSearchKey(): void {
  const [, navigate] = useLocation();
  useKeyActions({
    search: () => {
      const box = document.querySelector<HTMLInputElement>("input[data-search]");
      if (box !== null) box.select();
      else navigate("/orders", { state: { wantsSearch: true } satisfies SearchState });
    },
  });
}
