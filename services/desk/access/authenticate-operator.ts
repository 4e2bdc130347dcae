import { DESK_SESSION, DESK_TOKEN, isWellFormed } from "../../domain/account/rules/api-key.ts";
import { findTokenHolder, type TokenHolder } from "../../domain/account/store/operators.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { OwnSession } from "../session/require-own-page.ts";
import { csrfTokenOf } from "../../platform/http/routing/credentials.ts";
import { findSessionHolder, noteSessionUse } from "../session/store/sessions.ts";
import type { OperatorPrincipal } from "./operator.ts";

export interface AuthenticationDeps {
  readonly pool: Queryable;
  readonly clock: Clock;
}

/**
 * The operator of a token or of a session, by one query and without a cache; null for any that is not valid, whatever
 * the reason.
 */
export async function authenticateOperator(
  { pool, clock }: AuthenticationDeps,
  credential: string | null,
): Promise<OperatorPrincipal | null> {
  if (credential === null) return null;
  if (isWellFormed(DESK_TOKEN, credential)) {
    const holder = await findTokenHolder(pool, credential);
    return holder === null ? null : principalOf(holder, null);
  }
  if (!isWellFormed(DESK_SESSION, credential)) return null;
  const now = clock.now();
  const holder = await findSessionHolder(pool, credential, now);
  if (holder === null) return null;
  await noteSessionUse(pool, holder, now);
  return principalOf(holder, { id: holder.session_id, csrf: csrfTokenOf(credential) });
}

function principalOf(
  { id: operatorId, name, role, token_id: tokenId }: TokenHolder,
  session: OwnSession | null,
): OperatorPrincipal {
  return { operatorId, name, role, tokenId, session };
}
