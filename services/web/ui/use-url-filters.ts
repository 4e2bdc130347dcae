import { useSearchParams } from "wouter";

/** Where a page of a list starts, which another filter makes meaningless. */
export const CURSOR = "after";

/** Filters that stand in the URL, so that reload, back and a sent link show the same list; empty where not set. */
export function useUrlFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams();
  const filters = Object.fromEntries(
    names.map((name) => [name, search.get(name) ?? ""]),
  ) as Readonly<Record<Name, string>>;
  const change = (changes: Partial<Record<Name, string>>, options = { replace: false }): void => {
    setSearch((before) => {
      const next = new URLSearchParams(before);
      next.delete(CURSOR);
      for (const [name, value] of Object.entries<string | undefined>(changes)) {
        if (value === undefined || value === "") next.delete(name);
        else next.set(name, value);
      }
      return next;
    }, options);
  };
  const clear = (): void => change(Object.fromEntries(names.map((name) => [name, ""])) as never);
  const isFiltered = names.some((name) => filters[name] !== "");
  return { filters, change, clear, isFiltered, after: search.get(CURSOR) ?? "" };
}
