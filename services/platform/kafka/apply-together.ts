import { isLockFault, isStatementTimeout } from "../db/database-fault.ts";
import { connectionsInUse, FairSlots } from "../fair-slots.ts";
import { gatherCalls } from "../gather-calls.ts";
import type { Position } from "../inbox/inbox.ts";
import { classifyError } from "./kafka-faults.ts";
import type { ApplyBatch, Received } from "./handle-batch.ts";

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

interface Ways<M> {
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

/** Messages of one partition, in order, and the position after them. */
export interface PartitionBatch<M> {
  readonly messages: readonly Received<M>[];
  readonly position: Position;
}

/** Applies the batches of several partitions and their positions in one transaction. */
type ApplyRound<M> = (batches: readonly PartitionBatch<M>[]) => Promise<void>;

/** More than a topic has partitions. */
const MOST_PARTITIONS = 64;

/**
 * Lets the partitions that a process holds share a transaction: what arrives while one runs goes into the next. A
 * round that fails is applied again partition by partition, so that a message that cannot be handled holds its own only,
 * and each is answered as soon as it was applied. Where it took too long, batches of several messages fail instead: their
 * handlers bring them again in smaller ones. A batch that waited for a lock is tried again apart from the others, which
 * would wait for it each time.
 */
export function applyTogether<M>(applyRound: ApplyRound<M>, runApart: RunApart): ApplyBatch<M> {
  const applyAlone = (batch: PartitionBatch<M>): Promise<void> =>
    runApart(() => applyRound([batch]));
  const gather = gatherCalls<PartitionBatch<M>, null>({
    most: MOST_PARTITIONS,
    atOnce: 1,
    run: async (batches) => {
      try {
        await applyRound(batches);
        return () => null;
      } catch (error) {
        const isOne = batches.length === 1;
        // A database that is too slow is not asked for several at once.
        const apply = isStatementTimeout(error) ? oneAfterTheOther(applyRound) : applyAlone;
        return async (batch) => {
          if (isOne || failsWith(error, batch)) throw error;
          await apply(batch);
          return null;
        };
      }
    },
  });
  return applyEitherWay({
    usual: async (messages, position) => {
      await gather({ messages, position });
    },
    afterLock: (messages, position) => applyAlone({ messages, position }),
  });
}

/** Whether a batch would fail as its round did. */
function failsWith<M>(error: unknown, { messages }: PartitionBatch<M>): boolean {
  if (isStatementTimeout(error)) return messages.length > 1;
  // What is away now is away for each of them.
  return classifyError(error) === "transient" && !isLockFault(error);
}

function oneAfterTheOther<M>(
  applyRound: ApplyRound<M>,
): (batch: PartitionBatch<M>) => Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  return (batch) => {
    const applied = before.then(() => applyRound([batch]));
    before = applied.catch(() => undefined); // whoever brought it learns of it
    return applied;
  };
}
