import type { MessageWriter, OutgoingMessage } from "../../../messages/bus/outgoing.ts";
import { AppError } from "../../../platform/errors.ts";
import {
  runCommand,
  type CommandContext,
  type WriteAlso,
} from "../../command/store/run-command.ts";
import { registerActiveNumbers } from "./register-active-numbers.ts";
import { writeComments } from "./comments.ts";
import { decide, type OrderCommand } from "../rules/decide.ts";
import type { DecisionContext, Effect, Refusal } from "../rules/effects.ts";
import type { Order } from "../rules/order.ts";
import { lockAnyOrder, lockOwnOrder } from "./read-order.ts";
import { saveOrder, type RewrittenValue } from "./save-order.ts";

/** A refusal as the error that callers receive. */
export function refusalError({ code, detail, blocking = [], faults = [] }: Refusal): AppError {
  const blockers = blocking.map((one) => ({
    pointer: `#/requirements/${one.slug}`,
    code: one.code,
    detail: one.detail,
  }));
  return new AppError(code, detail, { faults: [...blockers, ...faults] });
}

/** A command with its actor and time. */
export interface GivenCommand extends DecisionContext {
  readonly command: OrderCommand;
  /** The new value of the requirement that the command rewrites. */
  readonly rewritten?: RewrittenValue;
  /** Further messages of a decision with these effects. */
  readonly alsoSend?: (effects: readonly Effect[]) => readonly OutgoingMessage[];
}

/**
 * Runs a command on a locked order within the caller's transaction.
 * @throws the refusal as an AppError; the caller's transaction must then not commit any of the command's changes
 */
export async function applyToOrder(
  writer: MessageWriter,
  before: Order,
  { command, rewritten, alsoSend, ...context }: GivenCommand,
): Promise<Order> {
  const decision = decide(before, command, context);
  if (!decision.allowed) throw refusalError(decision.refusal);
  const update = command.command === "status_update" ? command.update : null;
  const { effects } = decision;
  const further = alsoSend?.(effects);
  const decided = { before, decision, rewritten, further, update, ...context };
  const order = await saveOrder(writer, decided);
  const saved = { order, effects };
  await registerActiveNumbers(writer, saved, context.now);
  await writeComments(writer, saved, context.now);
  return order;
}

export interface OperatorCommand extends GivenCommand {
  /** Writes the audit row. */
  readonly also: WriteAlso<Order>;
}

/** Runs an operator's command on an order of any account. @throws `not_found`, also for a deleted order */
export async function commandAnyOrder(
  context: CommandContext,
  orderId: string,
  { also, ...given }: OperatorCommand,
): Promise<Order> {
  return runCommand(context, {
    lock: (tx) => lockAnyOrder(tx, orderId),
    apply: (writer, order) => applyToOrder(writer, order, given),
    also,
  });
}

export interface OrderAddress {
  readonly accountId: string;
  readonly orderId: string;
}

export interface CustomerCommand extends GivenCommand {
  readonly also?: WriteAlso<Order>;
}

/** Runs a customer's command on an order of the account. @throws `not_found`, also for another account's order */
export async function commandOrder(
  context: CommandContext,
  { accountId, orderId }: OrderAddress,
  { also, ...given }: CustomerCommand,
): Promise<Order> {
  return runCommand(context, {
    lock: (tx) => lockOwnOrder(tx, accountId, orderId),
    apply: (writer, order) => applyToOrder(writer, order, given),
    also,
  });
}
