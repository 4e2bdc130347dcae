import { Link, useSearchParams } from "wouter";
import styles from "./paging.module.css";
import { CURSOR } from "./use-url-filters.ts";

interface PagingProps {
  /** The id of the last row that is shown. */
  readonly last: string | undefined;
  readonly hasMore: boolean;
}

/** The way to the next page of a list and back to the first; the page stands in the URL. */
export function Paging({ last, hasMore }: PagingProps) {
  const [search] = useSearchParams();
  const linkTo = (after: string | null): string => {
    const next = new URLSearchParams(search);
    if (after === null) next.delete(CURSOR);
    else next.set(CURSOR, after);
    return `?${next}`;
  };
  const isFirst = !search.has(CURSOR);
  if (isFirst && !hasMore) return null;
  return (
    <nav className={styles["paging"]} aria-label="Pages">
      {!isFirst && <Link href={linkTo(null)}>First page</Link>}
      {hasMore && last !== undefined && <Link href={linkTo(last)}>Next page</Link>}
    </nav>
  );
}
