import type { Pool } from "pg";
import type { MessageContext, MessageWriter } from "../../../messages/bus/outgoing.ts";
import { inTransaction, type Queryable } from "../../../platform/db/transaction.ts";
import type { OutboxHint } from "../../../platform/outbox/outbox-hint.ts";

/** What commands run with. */
export interface CommandContext extends MessageContext {
  readonly pool: Pool;
  readonly hint: OutboxHint;
}

/** What a command's transaction writes besides, such as the audit row. */
export type WriteAlso<T> = (tx: Queryable, before: T, after: T) => Promise<void>;

/** A command on an order, a port-out: how that is locked, and what the command makes of it. */
export interface CommandSteps<T> {
  readonly lock: (tx: Queryable) => Promise<T>;
  readonly apply: (writer: MessageWriter, before: T) => Promise<T>;
  readonly also: WriteAlso<T> | undefined;
}

/** Runs a command in a transaction of its own, which commits all of it or nothing, and then notifies the relay. */
export async function runCommand<T>(
  context: CommandContext,
  { lock, apply, also }: CommandSteps<T>,
): Promise<T> {
  const after = await inTransaction(context.pool, async (tx) => {
    const before = await lock(tx);
    const saved = await apply({ ...context, tx }, before);
    await also?.(tx, before, saved);
    return saved;
  });
  context.hint.notify();
  return after;
}
