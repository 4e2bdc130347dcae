import { hasDelivery } from "../../../domain/webhook/store/deliveries.ts";
import { notFound } from "../../../platform/http/body/check-request.ts";
import type { CustomerPath } from "../../access/customer-routes.ts";

/** The `find` of a route under a delivery's path; it reads no body. */
export async function ownDelivery({ db, principal, params: { id } }: CustomerPath): Promise<void> {
  if (!(await hasDelivery(db, principal.accountId, id))) throw notFound();
}
