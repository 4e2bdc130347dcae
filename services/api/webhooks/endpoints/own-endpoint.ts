import type { Endpoint } from "./endpoint.ts";
import { findEndpoint } from "./store/endpoints.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import type { AccountPrincipal } from "../../access/principal.ts";

interface EndpointPath {
  readonly principal: AccountPrincipal;
  readonly params: { readonly id: string };
}

/** The `find` of a route below a webhook endpoint. */
export function ownEndpoint(db: Queryable): (request: EndpointPath) => Promise<Endpoint> {
  return ({ principal: { accountId }, params: { id } }) => findEndpoint(db, { accountId, id });
}
