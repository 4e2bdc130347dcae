import { hasDelivery } from "../../../domain/webhook/store/deliveries.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { notFound } from "../../../platform/http/body/check-request.ts";
import type { CustomerPath } from "../../access/customer-routes.ts";

/** The `find` of a route under a delivery's path; it reads no body. */
export function ownDelivery(db: Queryable): (request: CustomerPath) => Promise<void> {
  return async ({ principal: { accountId }, params: { id } }) => {
    if (!(await hasDelivery(db, accountId, id))) throw notFound();
  };
}
