import { boundValues } from "../../../../platform/db/bound-values.ts";
import type { IdRange } from "../../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../../platform/db/transaction.ts";
import { filterConditions, type OrderFilter } from "./order-filter.ts";
import { versionOf } from "./order-versions.ts";

export interface OrderList {
  readonly accountId: string;
  readonly range: IdRange;
  readonly filter: OrderFilter;
}

/**
 * The first of an account's orders in a range of ids that match every given filter, in scan order, with their versions, as
 * one text: it costs a fraction of as many rows, and is the same as long as the list is.
 */
export async function listVersions(
  db: Queryable,
  { accountId, range, filter }: OrderList,
): Promise<string> {
  const { direction, above, below, fetch } = range;
  const { values, bind } = boundValues(accountId, above, below, fetch);
  const conditions = filterConditions(filter, bind);
  const [row] = await queryRows<{ readonly listed: string | null }>(db, {
    // Planned once without a filter, which is most of the calls; a filter's values decide on its index.
    ...(conditions.length === 0 && { name: `order-list-${direction}` }),
    text: `select string_agg(f.id || ' ' || ${versionOf("f")}, ',' order by f.id ${direction}) as listed
      from (
        select o.id, o.xmin, o.updated_at from orders.porting_orders o
        where o.account_id = $1 and o.deleted_at is null and o.id > $2 and o.id < $3
        ${conditions.join(" ")}
        order by o.id ${direction} limit $4
      ) f`,
    values,
  });
  return row?.listed ?? "";
}

/** An order in the text of `listVersions`. */
export interface ListedVersion {
  readonly id: string;
  readonly version: string;
}

export function readListed(listed: string): ListedVersion[] {
  if (listed === "") return [];
  return listed.split(",").map((one) => {
    const end = one.indexOf(" ");
    return { id: one.slice(0, end), version: one.slice(end + 1) };
  });
}
