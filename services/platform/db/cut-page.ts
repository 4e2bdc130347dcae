/** A page of a list ends with the row in which its bodies reach this many bytes. */
export const PAGE_BYTES = 1_048_576;

/** What `cutPage` adds to each row. */
export interface CutRow {
  /** How many rows there would be without the cut. */
  readonly found: number;
  readonly bytes_before: number;
}

/**
 * SQL: the rows of a page, without those that follow when the page has its bytes. `rows` is a query whose rows `p` are in
 * `order`, which names columns of `p`; `bytes` is the SQL of a row's size.
 */
export function cutPage(rows: string, order: string, bytes: string): string {
  return `select * from (
      select p.*, count(*) over ()::integer as found,
        sum(${bytes}) over (order by ${order} rows unbounded preceding) - ${bytes} as bytes_before
      from (${rows}) p
    ) c where c.bytes_before < ${PAGE_BYTES}`;
}

/** The same of rows in the order of their ids. */
export function cutPageById(rows: string, direction: "asc" | "desc", bytes: string): string {
  return `${cutPage(rows, `p.id ${direction}`, bytes)} order by c.id ${direction}`;
}

/** The rows of a page and whether more follow; `fetch` of them were asked for, one more than belong on it. */
export function rowsOfPage<Row extends CutRow>(
  rows: readonly Row[],
  fetch: number,
): { readonly rows: readonly Row[]; readonly hasMore: boolean } {
  const page = rows.slice(0, fetch - 1);
  return { rows: page, hasMore: (rows[0]?.found ?? 0) > page.length };
}
