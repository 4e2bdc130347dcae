import type { Pool } from "pg";
import type { MessageContext } from "../../../messages/bus/outgoing.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { OutboxHint } from "../../../platform/outbox/outbox-hint.ts";
import type { PortOutCommand } from "../rules/decide-port-out.ts";
import { decidePortOut } from "../rules/decide-port-out.ts";
import type { PortOut } from "../rules/port-out.ts";
import type { PortOutWriter } from "./save-port-out.ts";
import { savePortOut } from "./save-port-out.ts";
import { lockPortOut, unknownPortOut } from "./read-port-out.ts";

export interface PortOutContext extends MessageContext {
  readonly pool: Pool;
  readonly hint: OutboxHint;
}

/** A command and when it is given. */
export interface GivenPortOutCommand {
  readonly command: PortOutCommand;
  readonly now: Date;
}

/**
 * Runs a command on a locked port-out inside a transaction of the caller's.
 * @throws `invalid_state` where its status does not allow that: then nothing of it may be committed
 */
export async function applyToPortOut(
  writer: PortOutWriter,
  portOut: PortOut,
  { command, now }: GivenPortOutCommand,
): Promise<PortOut> {
  const story = decidePortOut(portOut, command, now);
  if (story === null) {
    throw new AppError("invalid_state", `A port-out that is ${portOut.status} cannot be decided.`);
  }
  return savePortOut(writer, story, now);
}

export interface PortOutAddress {
  readonly id: string;
  /** Null for an operator, who acts for any account. */
  readonly accountId: string | null;
}

export interface PersonsPortOutCommand extends GivenPortOutCommand {
  /** Written with it: the audit row. */
  readonly also?: (tx: Queryable, before: PortOut, after: PortOut) => Promise<void>;
}

/** A person's command in a transaction of its own; `not_found` for another account's port-out. */
export async function commandPortOut(
  context: PortOutContext,
  { id, accountId }: PortOutAddress,
  { also, ...given }: PersonsPortOutCommand,
): Promise<PortOut> {
  const portOut = await inTransaction(context.pool, async (tx) => {
    const locked = await lockPortOut(tx, id);
    if (locked === null || (accountId !== null && locked.account_id !== accountId)) {
      throw unknownPortOut();
    }
    const saved = await applyToPortOut({ ...context, tx }, locked, given);
    await also?.(tx, locked, saved);
    return saved;
  });
  context.hint.poke();
  return portOut;
}
