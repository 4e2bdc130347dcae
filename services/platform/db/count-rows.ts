import { idRange, type CreatedWithin, type IdRange } from "./id-range.ts";
import { queryRows, type Queryable } from "./transaction.ts";

/** A count goes no further: the time it takes is bounded, however long the list is. */
const MOST_COUNTED = 10_000;

/** The range of a list that is counted: all of it, one row further than a count goes. */
export function countedRange(created: CreatedWithin): IdRange {
  return idRange({ direction: "desc", cursorId: null, fetch: MOST_COUNTED + 1 }, created);
}

export interface Total {
  readonly count: number;
  /** There are more than `count`, which is the most that is counted. */
  readonly is_more: boolean;
}

/** The statement of a list's page, in parts. */
export interface PageStatement {
  /** The select, up to its order. */
  readonly rows: string;
  readonly order: string;
  /** The parameter of its limit. */
  readonly limit: string;
  readonly values: unknown[];
}

export function pageText({ rows, order, limit }: Omit<PageStatement, "values">): string {
  return `${rows} order by ${order} limit ${limit}`;
}

/** How many rows of a `countedRange` there are; what is only counted is neither sorted nor computed. */
export async function countRows(
  db: Queryable,
  { rows, limit, values }: Omit<PageStatement, "order">,
): Promise<Total> {
  const text = `select count(*) as found from (${rows} limit ${limit}) p`;
  const [row] = await queryRows<{ found: number }>(db, { text, values });
  const found = row?.found ?? 0;
  const count = Math.min(found, MOST_COUNTED);
  return { count, is_more: found > count };
}
