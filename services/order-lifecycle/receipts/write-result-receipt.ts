import { receiptMessage, sourceIn } from "../../domain/carrier/receipts.ts";
import type { ReceiptOutcome } from "../../domain/carrier/rules/read-update.ts";
import type {
  MessageContext,
  MessageWriter,
  OutgoingMessage,
} from "../../messages/bus/outgoing.ts";
import type { CarrierResult } from "../../messages/generated/carrier-result.ts";
import type { Clock } from "../../platform/clock.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";

export interface SettledResult {
  readonly message: CarrierResult;
  readonly raw: RawMessage;
  readonly outcome: ReceiptOutcome;
}

/** Writes the receipt of the carrier's message that the result came from, if its headers name it. */
export function writeResultReceipt(
  writer: MessageWriter & { readonly clock: Clock },
  settled: SettledResult,
): Promise<void> {
  return writeOutbox(writer.tx, resultReceipts(writer, settled));
}

/** The same as a message, for who writes it together with its cause. */
export function resultReceipts(
  context: MessageContext & { readonly clock: Clock },
  { message, raw, outcome }: SettledResult,
): OutgoingMessage[] {
  const source = sourceIn(raw.headers);
  if (source === null) return [];
  const { provider, update_id, order_id, port_out_ref } = message;
  const subject = {
    provider,
    update_id,
    ...(order_id === null ? {} : { order_id }),
    ...(port_out_ref === null ? {} : { port_out_ref }),
  };
  return [receiptMessage(context, { source, subject, outcome, at: context.clock.now() })];
}
