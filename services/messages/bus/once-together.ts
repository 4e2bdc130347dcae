import { inTransaction, type Queryable } from "../../platform/db/transaction.ts";
import { claimMessages } from "../../platform/inbox/inbox.ts";
import { applyTogether, type PartitionBatch } from "../../platform/kafka/apply-together.ts";
import type { ApplyBatch, Received } from "../../platform/kafka/handle-batch.ts";
import { currentSpan, runInSpan, type EnclosingSpan } from "../../platform/tracing/tracing.ts";
import type { Bus } from "./bus.ts";

/** A transaction in which several messages have their effects. */
export interface Round<H> {
  readonly tx: Queryable;
  /** What the messages are about. */
  readonly locked: H;
  /** Runs once the effects are committed: a round that fails is applied again, in parts. */
  readonly onCommit: (effect: () => void) => void;
}

export interface TogetherHandler<M, H> {
  /** Locks and reads what the messages are about, before the first of them is handled. */
  lock(tx: Queryable, messages: readonly M[]): Promise<H>;
  handle(round: Round<H>, received: Received<M>): Promise<void>;
}

interface AppliedTogether<M> {
  readonly apply: ApplyBatch<M>;
  readonly maxBatch: number;
}

type Context = Pick<Bus, "pool" | "apart" | "tracing">;

/** Of a partition: few enough that nobody waits long for what a round has locked. */
const MOST_OF_PARTITION = 8;

/**
 * Like `onceEach`, but messages that come together share a transaction, across partitions: it costs as much as the
 * effect of one. Where one fails, each is applied alone, so that it fails alone.
 */
export function onceTogether<M, H>(
  context: Context,
  consumer: string,
  handler: TogetherHandler<M, H>,
): AppliedTogether<M> {
  return together(context, consumer, { handler, skipsHandled: true });
}

/** Like `eachByOwnId`, with a shared transaction as in `onceTogether`. */
export function togetherByOwnId<M, H>(
  context: Context,
  consumer: string,
  handler: TogetherHandler<M, H>,
): AppliedTogether<M> {
  return together(context, consumer, { handler, skipsHandled: false });
}

interface How<M, H> {
  readonly handler: TogetherHandler<M, H>;
  /** Whether a message is skipped that has an inbox row; otherwise the handler detects repeats. */
  readonly skipsHandled: boolean;
}

function together<M, H>(
  { pool, apart, tracing }: Context,
  consumer: string,
  { handler, skipsHandled }: How<M, H>,
): AppliedTogether<M> {
  // A round is shared and runs in no span; what a message causes belongs to the span of its own handling.
  const spans = new WeakMap<readonly Received<M>[], EnclosingSpan>();
  const applyRound = async (batches: readonly PartitionBatch<M>[]): Promise<void> => {
    const effects: (() => void)[] = [];
    await inTransaction(pool, async (tx) => {
      const first = await claim(tx, consumer, batches);
      const received = batches.flatMap(({ messages }) =>
        messages.map((one) => ({ one, span: spans.get(messages) ?? null })),
      );
      // An id that comes twice in a round is handled once.
      const due = received.filter(({ one }) => first.delete(one.raw.messageId) || !skipsHandled);
      if (due.length === 0) return;
      const messages = due.map(({ one }) => one.message);
      const locked = await handler.lock(tx, messages);
      const round = { tx, locked, onCommit: (effect: () => void) => effects.push(effect) };
      for (const { one, span } of due) await within(span, () => handler.handle(round, one));
    });
    for (const effect of effects) effect();
  };
  const applyShared = applyTogether(applyRound, apart);
  return {
    apply: (messages, position) => {
      const span = currentSpan();
      if (span !== null) spans.set(messages, span);
      return applyShared(messages, position);
    },
    // Where tracing is on, each message has a span of its own, so that a trace shows each handling.
    maxBatch: tracing === null ? MOST_OF_PARTITION : 1,
  };
}

function within<T>(span: EnclosingSpan | null, work: () => T): T {
  return span === null ? work() : runInSpan(span, work);
}

function claim<M>(
  tx: Queryable,
  consumer: string,
  batches: readonly PartitionBatch<M>[],
): Promise<Set<string>> {
  return claimMessages(tx, {
    consumer,
    messageIds: batches.flatMap(({ messages }) => messages.map(({ raw }) => raw.messageId)),
    positions: batches.map(({ position }) => position),
  });
}
