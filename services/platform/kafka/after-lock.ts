import { isLockFault } from "../db/database-fault.ts";
import { connectionsInUse, FairSlots } from "../fair-slots.ts";
import type { ApplyBatch } from "./handle-batch.ts";

/** Runs work that may have to wait for a lock; rejects with a transient fault where it was not begun. */
export type RunApart = (work: () => Promise<void>) => Promise<void>;

const KIND = "partitions behind a lock";
/** Twice as long as for a lock, so that a partition without one gets its turn behind those that have. */
const WAIT_MS = 10_000;

/** Lets such work hold half of a pool's connections at most: the others are left to what need not wait. */
export function leavingHalf(connections: number): RunApart {
  const most = Math.max(1, Math.floor(connections / 2));
  const limits = { total: most, perOwner: most, maxWaiting: Infinity, maxWaitMs: WAIT_MS };
  const slots = new FairSlots(limits);
  return (work) => slots.run(KIND, work).catch(connectionsInUse(KIND));
}

export interface Ways<M> {
  readonly usual: ApplyBatch<M>;
  /** For a partition whose last lock was not given, until it has been applied. */
  readonly afterLock: ApplyBatch<M>;
}

/** Applies the batches of each partition in the one way or the other. */
export function applyEitherWay<M>({ usual, afterLock }: Ways<M>): ApplyBatch<M> {
  const locked = new Set<string>();
  return async (messages, position) => {
    const place = `${position.topic}/${position.partition}`;
    const apply = locked.has(place) ? afterLock : usual;
    try {
      await apply(messages, position);
      locked.delete(place);
    } catch (error) {
      if (isLockFault(error)) locked.add(place);
      throw error;
    }
  };
}
