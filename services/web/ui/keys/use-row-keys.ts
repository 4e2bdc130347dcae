import { useKeys } from "./use-keys.ts";

/** Marks the link of a row that j and k go to: `<Link {...ROW_LINK}>`. */
export const ROW_LINK = { "data-row": "" } as const;

/** The links of all rows, from the first one on. */
export function rowLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-row]")];
}

/** j and k move the focus from row to row of the list; Enter follows the row's link, as a browser does by itself. */
export function useRowKeys(): void {
  const go = (step: 1 | -1): void => {
    const rows = rowLinks();
    const row = document.activeElement?.closest("tr")?.querySelector<HTMLElement>("[data-row]");
    const here = row == null ? -1 : rows.indexOf(row);
    const next = here === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, here + step));
    rows[next]?.focus();
  };
  useKeys({ j: () => go(1), k: () => go(-1) });
}
