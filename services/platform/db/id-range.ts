const LOWEST = "00000000-0000-0000-0000-000000000000";
const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** One page's scan: ids strictly between `above` and `below`, `fetch` of them, in `direction`. */
export interface IdRange {
  readonly direction: "asc" | "desc";
  readonly above: string;
  readonly below: string;
  readonly fetch: number;
}

interface Scan {
  readonly direction: "asc" | "desc";
  /** Exclusive; the rows after it in `direction` are returned. */
  readonly cursorId: string | null;
  readonly fetch: number;
}

export interface CreatedWithin {
  /** Inclusive. */
  readonly created_after?: Date | undefined;
  /** Exclusive. */
  readonly created_before?: Date | undefined;
}

/**
 * Combines cursor and times into one range of version 7 ids, which contain their creation time, so one
 * index serves all.
 */
export function idRange({ direction, cursorId, fetch }: Scan, created: CreatedWithin): IdRange {
  const { created_after: after, created_before: before } = created;
  const lower = after === undefined ? LOWEST : idFloor(after);
  const upper = before === undefined ? HIGHEST : idFloor(before);
  if (cursorId === null) return { direction, fetch, above: lower, below: upper };
  return direction === "asc"
    ? { direction, fetch, above: cursorId > lower ? cursorId : lower, below: upper }
    : { direction, fetch, above: lower, below: cursorId < upper ? cursorId : upper };
}

/** A list in the order of a key of its rows, and of their ids where that is the same. */
export interface KeyOrder {
  readonly direction: "asc" | "desc";
  /** The row that the page follows; it must be one of the list, because what it has as its key is compared. */
  readonly cursorId: string | null;
}

interface SortedRows {
  /** The rows are `alias` in the statement. */
  readonly table: string;
  readonly alias: string;
  readonly idName?: string;
  /** SQL of a row's key, by the row's name; never null in the list. */
  readonly key: (row: string) => string;
}

/** SQL of a page by a key: the condition of what follows the cursor, where there is one, and the order of rows. */
export function pageByKey(
  { table, alias, idName = "id", key }: SortedRows,
  { direction, cursorId }: KeyOrder,
  bind: (value: unknown) => string,
): { readonly beyond: readonly string[]; readonly order: string } {
  const order = `${key(alias)} ${direction}, ${alias}.${idName} ${direction}`;
  if (cursorId === null) return { beyond: [], order };
  const comparison = direction === "asc" ? ">" : "<";
  const cursor = `select ${key("k")}, k.${idName} from ${table} k where k.${idName} = ${bind(cursorId)}`;
  return { beyond: [`(${key(alias)}, ${alias}.${idName}) ${comparison} (${cursor})`], order };
}

/** A bound below every version 7 id of this millisecond and above every earlier one. */
function idFloor(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/**
 * The instant in a version 7 id, in epoch milliseconds; for the bounds of an open range, the distant past
 * or future.
 */
export function instantOf(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

/** A page of a list ends with the row in which its bodies reach this many bytes. */
const PAGE_BYTES = 1_048_576;

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
