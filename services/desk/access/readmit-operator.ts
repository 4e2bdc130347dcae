import type { Context } from "koa";
import { DESK_SESSION, DESK_TOKEN, isWellFormed } from "../../domain/account/rules/api-key.ts";
import { findTokenHolder } from "../../domain/account/store/operators.ts";
import { findSessionHolder } from "../session/store/sessions.ts";
import type { AuthenticationDeps } from "./authenticate-operator.ts";
import { readOperatorCredential } from "./read-operator-credential.ts";

/**
 * The id of the operator whose request continues, by the token or session that it came with; null once that is no longer
 * valid. It is not a use of the session, which would never become idle under an open stream.
 */
export async function readmitOperator(
  { pool, clock }: AuthenticationDeps,
  ctx: Context,
): Promise<string | null> {
  const credential = readOperatorCredential(ctx);
  if (credential === null) return null;
  if (isWellFormed(DESK_TOKEN, credential)) {
    return (await findTokenHolder(pool, credential))?.id ?? null;
  }
  if (!isWellFormed(DESK_SESSION, credential)) return null;
  return (await findSessionHolder(pool, credential, clock.now()))?.id ?? null;
}
