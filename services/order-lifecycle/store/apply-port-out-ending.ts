import { applyToPortOut } from "../../domain/port-out/store/port-out-commands.ts";
import type { PortOutRef } from "../../domain/port-out/rules/requester.ts";
import { lockPortOutsOf } from "../../domain/port-out/store/receive-port-out.ts";
import type { PortOut } from "../../domain/port-out/rules/port-out.ts";
import type { MessageWriter } from "../../messages/bus/outgoing.ts";

/** The withdrawal or completion of a port-out, as the gaining carrier reports it. */
export interface PortOutEnding extends PortOutRef {
  readonly kind: "cancelled" | "completed";
  readonly phone_numbers: readonly string[];
  readonly foc_at: string | null;
  readonly provider_status: string;
  readonly occurred_at: Date;
}

/** Applies the ending to each account's port-out of that reference that has one of the numbers; true if one changed. */
export async function applyPortOutEnding(
  writer: MessageWriter,
  ending: PortOutEnding,
  now: Date,
): Promise<boolean> {
  let moved = false;
  const named = new Set(ending.phone_numbers);
  const { kind, phone_numbers, foc_at, provider_status, occurred_at: at } = ending;
  for (const portOut of await lockPortOutsOf(writer.tx, ending)) {
    if (!portOut.numbers.some((number) => named.has(number.phone_number))) continue;
    const common = { foc_at, provider_status };
    const command =
      kind === "cancelled"
        ? { command: kind, ...common }
        : { command: kind, ...common, phone_numbers, at };
    const after = await applyToPortOut(writer, portOut, { command, now, occurred_at: at });
    moved ||= hasMoved(portOut, after);
  }
  return moved;
}

/** Whether an ending changed a port-out: its status, or how many of its numbers have left. */
export function hasMoved(before: PortOut, after: PortOut): boolean {
  return after.status !== before.status || left(after) > left(before);
}

function left({ numbers }: PortOut): number {
  return numbers.filter((one) => one.ported_out_at !== null).length;
}
