import type { Endpoint } from "../domain/webhook/endpoint.ts";
import { findEndpoint } from "../domain/webhook/endpoint-store.ts";
import type { Queryable } from "../platform/db/transaction.ts";
import type { AccountPrincipal } from "./principal.ts";

interface EndpointPath {
  readonly principal: AccountPrincipal;
  readonly params: { readonly id: string };
}

/** The `find` of a route below a webhook endpoint. */
export function ownEndpoint(db: Queryable): (request: EndpointPath) => Promise<Endpoint> {
  return ({ principal: { accountId }, params: { id } }) => findEndpoint(db, { accountId, id });
}
