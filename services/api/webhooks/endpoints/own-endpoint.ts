import type { Endpoint } from "../../../domain/webhook/rules/endpoint.ts";
import { findEndpoint } from "../../../domain/webhook/store/endpoints.ts";
import type { CustomerPath } from "../../access/customer-routes.ts";

/** The `find` of a route under a webhook endpoint's path. */
export function ownEndpoint({ db, principal, params: { id } }: CustomerPath): Promise<Endpoint> {
  return findEndpoint(db, { accountId: principal.accountId, id });
}
