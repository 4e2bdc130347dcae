import type { MessageWriter } from "../../../messages/bus/outgoing.ts";
import { AppError } from "../../../platform/errors.ts";
import {
  runCommand,
  type CommandContext,
  type WriteAlso,
} from "../../command/store/run-command.ts";
import { decidePortOut, type PortOutCommand } from "../rules/decide-port-out.ts";
import type { PortOut } from "../rules/port-out.ts";
import { savePortOut } from "./save-port-out.ts";
import { lockPortOutOf } from "./read-port-out.ts";

/** A command and its time. */
export interface GivenPortOutCommand {
  readonly command: PortOutCommand;
  readonly now: Date;
  /** When the gaining carrier says that it happened, if it was reported by it. */
  readonly occurred_at?: Date;
}

/**
 * Runs a command on a locked port-out within the caller's transaction.
 * @throws `invalid_state` if its status does not allow the command, whose changes must then not be committed
 */
export async function applyToPortOut(
  writer: MessageWriter,
  portOut: PortOut,
  { command, now, occurred_at }: GivenPortOutCommand,
): Promise<PortOut> {
  const decided = decidePortOut(portOut, command, now);
  if (decided === null) {
    throw new AppError(
      "invalid_state",
      `A port-out in ${portOut.status} cannot be approved or rejected; only one in decision_required can.`,
    );
  }
  return savePortOut(writer, { ...decided, occurred_at }, now);
}

export interface PortOutAddress {
  readonly id: string;
  /** Null for an operator, who acts for any account. */
  readonly accountId: string | null;
}

export interface PersonsPortOutCommand extends GivenPortOutCommand {
  readonly also?: WriteAlso<PortOut>;
}

/** Runs a customer's or operator's command on a port-out. @throws `not_found`, also for another account's */
export async function commandPortOut(
  context: CommandContext,
  { id, accountId }: PortOutAddress,
  { also, ...given }: PersonsPortOutCommand,
): Promise<PortOut> {
  return runCommand(context, {
    lock: (tx) => lockPortOutOf(tx, accountId, id),
    apply: (writer, portOut) => applyToPortOut(writer, portOut, given),
    also,
  });
}
