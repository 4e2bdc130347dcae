import { FairSlots, refusedAs } from "../../platform/fair-slots.ts";
import type { CallerSlots } from "../../platform/http/routing/http-app-options.ts";
import { limitedAs, type AccountPrincipal } from "./principal.ts";

const MAX_WAIT_MS = 1_000;

/** Takes a slot of each, one after the other; gives back what it has where one is not to be had. */
function enterAll(
  slots: FairSlots,
  [owner, ...others]: readonly string[],
): Promise<void> | undefined {
  if (owner === undefined) return undefined;
  const next = (): Promise<void> | undefined =>
    enterAll(slots, others)?.catch((error: unknown) => {
      slots.leave(owner);
      throw error;
    });
  const waiting = slots.enter(owner);
  return waiting === undefined ? next() : waiting.then(next);
}

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
  const tooManyAtOnce = refusedAs(
    `At most ${limit} requests of an account run at once. Try again in 1 s.`,
  );
  return {
    enter: (principal) => enterAll(slots, limitedAs(principal))?.catch(tooManyAtOnce),
    leave: (principal) => {
      for (const owner of limitedAs(principal)) slots.leave(owner);
    },
  };
}
