import type { Endpoint } from "../../../domain/webhook/rules/endpoint.ts";
import { findEndpoint } from "../../../domain/webhook/store/endpoints.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import type { CustomerPath } from "../../access/customer-routes.ts";

/** The `find` of a route under a webhook endpoint's path. */
export function ownEndpoint(db: Queryable): (request: CustomerPath) => Promise<Endpoint> {
  return ({ principal: { accountId }, params: { id } }) => findEndpoint(db, { accountId, id });
}
