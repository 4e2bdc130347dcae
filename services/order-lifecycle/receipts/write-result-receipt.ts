import { sourceIn } from "../../domain/carrier/receipt-source.ts";
import type { ReceiptOutcome } from "../../domain/carrier/rules/receipt.ts";
import { writeReceipt } from "../../domain/carrier/write-receipt.ts";
import type { MessageWriter } from "../../messages/bus/outgoing.ts";
import type { CarrierResult } from "../../messages/generated/carrier-result.ts";
import type { Clock } from "../../platform/clock.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";

export interface SettledResult {
  readonly message: CarrierResult;
  readonly raw: RawMessage;
  readonly outcome: ReceiptOutcome;
}

/** Writes the receipt of the carrier's message that the result came from, if its headers name it. */
export async function writeResultReceipt(
  writer: MessageWriter & { readonly clock: Clock },
  { message, raw, outcome }: SettledResult,
): Promise<void> {
  const source = sourceIn(raw.headers);
  if (source === null) return;
  const { provider, update_id, order_id, port_out_ref } = message;
  const subject = {
    provider,
    update_id,
    ...(order_id === null ? {} : { order_id }),
    ...(port_out_ref === null ? {} : { port_out_ref }),
  };
  await writeReceipt(writer, { source, subject, outcome, at: writer.clock.now() });
}
