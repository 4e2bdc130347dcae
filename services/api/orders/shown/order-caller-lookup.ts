import type { JoiningPool } from "../../../platform/db/joining-pool.ts";
import { gatherCalls } from "../../../platform/gather-calls.ts";
import { resourceOf } from "../../../platform/http/routing/resource-of.ts";
import type { RouteMatch } from "../../../platform/http/routing/route-table.ts";
import { uuidIn } from "../../../platform/ids.ts";
import { findOrderCallers, type OrderCall, type OrderCaller } from "./store/find-order-callers.ts";

const MOST_AT_ONCE = 100;
/** These are worth a look-up beside one that runs, so that there are requests to answer while Postgres works. */
const ENOUGH = 3;
const ORDER = "/v2/porting_orders/:id";

/** The reads that show an order as it is kept, if it still has the same version. */
const SHOWING: ReadonlySet<string> = new Set([ORDER, `${ORDER}/readiness`]);

/** Finds who calls about an order, and the order's version; null if the key is not valid. */
export type FindOrderCaller = (call: OrderCall) => Promise<OrderCaller | null>;

/**
 * Concurrent requests share a look-up that starts after all of them arrived, as that of keys alone. It is work on orders: it
 * uses their connections, so that nobody else waits to be let in while orders are locked.
 */
export function createOrderCallerLookup(pool: JoiningPool): FindOrderCaller {
  const kind = resourceOf(ORDER);
  return gatherCalls({
    run: async (calls: readonly OrderCall[]) => {
      const callers = await pool.runAs(kind, () => findOrderCallers(pool, calls));
      return (call) => callers.get(call) ?? null;
    },
    most: MOST_AT_ONCE,
    enough: ENOUGH,
  });
}

/** The order that a request shows; null for every other request. */
export function orderShownBy<P>(match: RouteMatch<P> | null): string | null {
  if (match === null) return null;
  const { method, path } = match.row.route;
  if (method !== "GET" || !SHOWING.has(path)) return null;
  return uuidIn(match.params["id"]);
}
