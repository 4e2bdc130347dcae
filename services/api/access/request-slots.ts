import { fairCallerSlots, type CallerSlots } from "../../platform/http/routing/caller-slots.ts";
import { limitedAs, type AccountPrincipal } from "./principal.ts";

const MAX_WAIT_MS = 1_000;

/** How many requests of an account run at once in this process; undefined for no limit (0). */
export function createRequestSlots(
  limit: number,
  maxWaitMs: number = MAX_WAIT_MS,
): CallerSlots<AccountPrincipal> | undefined {
  if (limit === 0) return undefined;
  return fairCallerSlots(
    { total: Infinity, perOwner: limit, maxWaiting: Infinity, maxWaitMs },
    limitedAs,
    `At most ${limit} requests of an account run at once. Try again in 1 s.`,
  );
}
