import { AppError } from "../../platform/errors.ts";
import { FairSlots, NoSlot } from "../../platform/fair-slots.ts";
import type { CallerSlots } from "../../platform/http/routing/caller-slots.ts";
import type { AccountPrincipal } from "./principal.ts";

const MAX_WAIT_MS = 1_000;

/** How many requests of an account run at once in this process; undefined for no limit (0). */
export function createRequestSlots(
  limit: number,
  maxWaitMs: number = MAX_WAIT_MS,
): CallerSlots<AccountPrincipal> | undefined {
  if (limit === 0) return undefined;
  const slots = new FairSlots({
    ...{ total: Infinity, perOwner: limit },
    ...{ maxWaiting: Infinity, maxWaitMs },
  });
  return {
    enter: ({ accountId }) =>
      slots.enter(accountId)?.catch((error: unknown) => {
        throw error instanceof NoSlot ? tooManyAtOnce(limit) : error;
      }),
    leave: ({ accountId }) => slots.leave(accountId),
  };
}

function tooManyAtOnce(limit: number): AppError {
  const detail = `At most ${limit} requests of an account run at once. Try again in 1 s.`;
  return new AppError("rate_limited", detail, { headers: { "Retry-After": "1" } });
}
