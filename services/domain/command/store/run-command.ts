import type { MessageContext, MessageWriter } from "../../../messages/bus/outgoing.ts";
import { inTransaction, type Database, type Queryable } from "../../../platform/db/transaction.ts";

/** The context in which commands run. */
export interface CommandContext extends MessageContext {
  readonly db: Database;
}

/** Further writes in a command's transaction, such as the audit row. */
export type WriteAlso<T> = (tx: Queryable, before: T, after: T) => Promise<void>;

/** How a command locks its subject (an order or a port-out) and applies its change. */
interface CommandSteps<T> {
  readonly lock: (tx: Queryable) => Promise<T>;
  readonly apply: (writer: MessageWriter, before: T) => Promise<T>;
  readonly also: WriteAlso<T> | undefined;
}

/** Runs a command in a transaction: its own, or the one that is open. */
export async function runCommand<T>(
  context: CommandContext,
  { lock, apply, also }: CommandSteps<T>,
): Promise<T> {
  return inTransaction(context.db, async (tx) => {
    const before = await lock(tx);
    const saved = await apply({ ...context, tx }, before);
    await also?.(tx, before, saved);
    return saved;
  });
}
