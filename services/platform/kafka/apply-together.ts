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
  return async (messages, position) => {
    await gather({ messages, position });
  };
}

type Failures<M> = ReadonlyMap<PartitionBatch<M>, { readonly error: unknown }>;

async function failuresOf<M>(
  batches: readonly PartitionBatch<M>[],
  applyRound: ApplyRound<M>,
): Promise<Failures<M>> {
  try {
    await applyRound(batches);
    return new Map();
  } catch (error) {
    // What is away now is away for each of them.
    const isForAll = batches.length === 1 || classifyError(error) === "transient";
    if (isForAll) return new Map(batches.map((batch) => [batch, { error }]));
  }
  const failures = new Map<PartitionBatch<M>, { readonly error: unknown }>();
  for (const batch of batches) {
    for (const [one, failure] of await failuresOf([batch], applyRound)) failures.set(one, failure);
  }
  return failures;
}
