import { FairSlots, refusedAs } from "../../platform/fair-slots.ts";
import type { CallerSlots } from "../../platform/http/routing/http-app-options.ts";
import { limitedAs, type AccountPrincipal } from "./customer-routes.ts";

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

/** Accounts take turns. One waits as long as for a letter, so that an import of a few requests is not refused. */
const SLOTS = { total: 4, perOwner: 1, maxWaiting: Infinity, maxWaitMs: 10_000 };
/** As many fit into one statement beside those of others; above them a request runs by itself. */
const FEW_NUMBERS = 50;

const tooManyHeavy = refusedAs(
  "Large requests of an account run one after the other, and too many of them wait. Try again in 1 s.",
);

/** So many orders are remembered as large, those longest not asked for are forgotten first. */
const MOST_LARGE_ORDERS = 10_000;

/** Runs the heavy requests of an account one after the other. */
export interface HeavyRequests {
  /** The owner is who takes turns (`turnsOf`). @throws `rate_limited` where the wait is too long */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
  /** Runs a request about one order, which is heavy where an answer before has shown that the order is large. */
  runAbout<T>(owner: string, orderId: string, work: () => Promise<T>): Promise<T>;
  /** Says how many numbers an order has that is answered with. */
  note(orderId: string, numbers: number): void;
}

/**
 * Requests that take Postgres or the event loop many times as long as others: an account has one at once, so that 20 of
 * them cost other accounts no more than one does. Without a limit of requests (0) there is none of these.
 */
export function createHeavyRequests(
  limit: number,
  maxWaitMs: number = SLOTS.maxWaitMs,
): HeavyRequests {
  const slots = new FairSlots({ ...SLOTS, maxWaitMs });
  const run = <T>(owner: string, work: () => Promise<T>): Promise<T> =>
    limit === 0 ? work() : slots.run(owner, work).catch(tooManyHeavy);
  const large = new Set<string>();
  return {
    run,
    runAbout: (owner, orderId, work) => (large.has(orderId) ? run(owner, work) : work()),
    note: (orderId, numbers) => {
      large.delete(orderId);
      if (numbers <= FEW_NUMBERS) return;
      large.add(orderId);
      const [oldest] = large.size > MOST_LARGE_ORDERS ? large : [];
      if (oldest !== undefined) large.delete(oldest);
    },
  };
}

/** Whether a body, as sent, names so many numbers that the request is heavy. */
export function namesMany(body: unknown): boolean {
  if (typeof body !== "object" || body === null || !("phone_numbers" in body)) return false;
  return Array.isArray(body.phone_numbers) && body.phone_numbers.length > FEW_NUMBERS;
}
