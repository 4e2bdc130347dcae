import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { StreamHints } from "../../../desk/stream/answers.ts";
import { SESSION_KEY, type Operator } from "../session/session.ts";
import { caseKey } from "./queries.ts";
import type { ReviewCase } from "./types.ts";

/** Longer than a hint takes to come. */
const HINT_MS = 5_000;

/**
 * Whether a hint only repeats what the answer to the operator's own claim has just said. Fetching the case once more
 * would be recorded as another look at its sensitive values.
 */
export function isOwnClaim(client: QueryClient, queryKey: QueryKey, hint: unknown): boolean {
  const { order_id: id, attempt, state, claimed_by: by } = hint as StreamHints["review"];
  if (queryKey[1] !== "case") return false;
  const me = client.getQueryData<Operator | null>(SESSION_KEY)?.id;
  const shown = client.getQueryState<ReviewCase>(caseKey(id));
  if (shown?.data === undefined || me === undefined || by?.id !== me) return false;
  const isNew = Date.now() - shown.dataUpdatedAt < HINT_MS;
  const { data } = shown;
  return isNew && data.claimed_by?.id === me && data.attempt === attempt && data.state === state;
}
