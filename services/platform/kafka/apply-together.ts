import { isLockFault, isStatementTimeout } from "../db/database-fault.ts";
import { gatherCalls } from "../gather-calls.ts";
import type { Position } from "../inbox/inbox.ts";
import { classifyError } from "./classify-error.ts";
import type { ApplyBatch, Received } from "./handle-batch.ts";

/** Messages of one partition, in order, and the position after them. */
export interface PartitionBatch<M> {
  readonly messages: readonly Received<M>[];
  readonly position: Position;
}

/** Applies the batches of several partitions and their positions in one transaction. */
export type ApplyRound<M> = (batches: readonly PartitionBatch<M>[]) => Promise<void>;

/** More than a topic has partitions. */
const MOST_PARTITIONS = 64;

/**
 * Lets the partitions that a process holds share a transaction: what arrives while one runs goes into the next. A
 * round that fails is applied again partition by partition, so that a message that cannot be handled holds its own only.
 * Where it took too long, batches of several messages fail instead: their handlers bring them again in smaller ones.
 * A batch that waited for a lock is tried again apart from the others, which would wait for it each time.
 */
export function applyTogether<M>(applyRound: ApplyRound<M>): ApplyBatch<M> {
  const gather = gatherCalls<PartitionBatch<M>, null>({
    most: MOST_PARTITIONS,
    atOnce: 1,
    run: async (batches) => {
      const failures = await failuresOf(batches, applyRound);
      return (batch) => {
        const failure = failures.get(batch);
        if (failure !== undefined) throw failure.error;
        return null;
      };
    },
  });
  const apart = new Set<string>();
  return async (messages, position) => {
    const place = `${position.topic}/${position.partition}`;
    try {
      if (apart.has(place)) await applyRound([{ messages, position }]);
      else await gather({ messages, position });
      apart.delete(place);
    } catch (error) {
      if (isLockFault(error)) apart.add(place);
      throw error;
    }
  };
}

type Failures<M> = ReadonlyMap<PartitionBatch<M>, { readonly error: unknown }>;

async function failuresOf<M>(
  batches: readonly PartitionBatch<M>[],
  applyRound: ApplyRound<M>,
): Promise<Failures<M>> {
  const failures = new Map<PartitionBatch<M>, { readonly error: unknown }>();
  try {
    await applyRound(batches);
    return failures;
  } catch (error) {
    const tookTooLong = isStatementTimeout(error);
    // What is away now is away for each of them.
    const isAway = classifyError(error) === "transient" && !tookTooLong && !isLockFault(error);
    const failsNow = ({ messages }: PartitionBatch<M>): boolean =>
      batches.length === 1 || isAway || (tookTooLong && messages.length > 1);
    for (const batch of batches) if (failsNow(batch)) failures.set(batch, { error });
  }
  for (const batch of batches) {
    if (failures.has(batch)) continue;
    for (const [one, failure] of await failuresOf([batch], applyRound)) failures.set(one, failure);
  }
  return failures;
}
