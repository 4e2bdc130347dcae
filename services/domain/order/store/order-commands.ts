import type { Pool } from "pg";
import type { MessageContext } from "../../../messages/bus/outgoing.ts";
import type { Queryable } from "../../../platform/db/transaction.ts";
import { inTransaction } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import type { OutboxHint } from "../../../platform/outbox/outbox-hint.ts";
import { registerActiveNumbers } from "./register-active-numbers.ts";
import { writeComments } from "./comments.ts";
import type { OrderCommand } from "../rules/decide.ts";
import { decide } from "../rules/decide.ts";
import type { DecisionContext, Refusal } from "../rules/effects.ts";
import type { Order } from "../rules/order.ts";
import { lockAnyOrder, lockOwnOrder } from "./read-order.ts";
import type { OrderWriter } from "./save-order.ts";
import { saveOrder } from "./save-order.ts";

export interface OrderCommandContext extends MessageContext {
  readonly pool: Pool;
  readonly hint: OutboxHint;
}

/** A refusal as callers are told it. */
export function refusalError({ code, detail, blocking = [], faults = [] }: Refusal): AppError {
  const blockers = blocking.map((one) => ({
    pointer: `#/requirements/${one.slug}`,
    code: one.code,
    detail: one.detail,
  }));
  return new AppError(code, detail, { faults: [...blockers, ...faults] });
}

/** A command, who gives it and when. */
export interface GivenCommand extends DecisionContext {
  readonly command: OrderCommand;
}

/**
 * Runs a command on a locked order inside a transaction of the caller's.
 * @throws the refusal as an AppError: then the caller's transaction must not commit anything of it
 */
export async function applyToOrder(
  writer: OrderWriter,
  before: Order,
  { command, ...decision }: GivenCommand,
): Promise<Order> {
  const verdict = decide(before, command, decision);
  if (!verdict.allowed) throw refusalError(verdict.refusal);
  const order = await saveOrder(writer, { before, story: verdict, ...decision });
  const saved = { order, effects: verdict.effects };
  await registerActiveNumbers(writer, saved, decision.now);
  await writeComments(writer, saved, decision.now);
  return order;
}

/** What a command's transaction writes besides. */
type WriteAlso = (tx: Queryable, before: Order, after: Order) => Promise<void>;

export interface OperatorCommand extends GivenCommand {
  /** The audit row. */
  readonly also: WriteAlso;
}

/** Runs an operator's command on any account's order, with what else belongs to it, in one transaction. */
export async function commandAnyOrder(
  context: OrderCommandContext,
  orderId: string,
  { also, ...given }: OperatorCommand,
): Promise<Order> {
  const order = await inTransaction(context.pool, async (tx) => {
    const locked = await lockAnyOrder(tx, orderId);
    const saved = await applyToOrder({ ...context, tx }, locked, given);
    await also(tx, locked, saved);
    return saved;
  });
  context.hint.poke();
  return order;
}

export interface OrderAddress {
  readonly accountId: string;
  readonly orderId: string;
}

export interface CustomerCommand extends GivenCommand {
  readonly also?: WriteAlso;
}

/** A customer's command on an order of the account, in a transaction of its own; `not_found` for any other order. */
export async function commandOrder(
  context: OrderCommandContext,
  { accountId, orderId }: OrderAddress,
  { also, ...given }: CustomerCommand,
): Promise<Order> {
  const order = await inTransaction(context.pool, async (tx) => {
    const locked = await lockOwnOrder(tx, accountId, orderId);
    const saved = await applyToOrder({ ...context, tx }, locked, given);
    await also?.(tx, locked, saved);
    return saved;
  });
  context.hint.poke();
  return order;
}
