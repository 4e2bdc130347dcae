import {
  outgoing,
  type MessageContext,
  type MessageWriter,
  type OutgoingMessage,
} from "../../messages/bus/outgoing.ts";
import { newId } from "../../platform/ids.ts";
import { headerText } from "../../platform/kafka/raw-message.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { ReceiptSource } from "./receipt-source.ts";
import type { ReceiptOutcome, ReceiptSubject } from "./rules/receipt.ts";

/** Longer ids are not valid: their message is refused, and its receipt shows how they begin. */
const MAX_ID_LENGTH = 255;

export interface Receipt {
  readonly source: ReceiptSource;
  readonly subject: ReceiptSubject;
  readonly outcome: ReceiptOutcome;
  readonly at: Date;
}

/** Reports to the integration what became of its message, in the transaction of the effect or of the dead letter. */
export function writeReceipt(writer: MessageWriter, receipt: Receipt): Promise<void> {
  return writeOutbox(writer.tx, [receiptMessage(writer, receipt)]);
}

/** The receipt as a message, for who writes it together with its cause. */
export function receiptMessage(
  context: MessageContext,
  { source, subject, outcome, at }: Receipt,
): OutgoingMessage {
  const { provider, update_id, order_id, port_out_ref, call_id } = subject;
  const message = {
    provider: shortened(provider) ?? "",
    update_id: shortened(update_id),
    order_id: shortened(order_id),
    port_out_ref: shortened(port_out_ref),
    call_id: shortened(call_id),
    ...outcome,
    source_topic: source.topic,
    source_partition: source.partition,
    source_offset: source.offset,
    source_message_id: source.messageId,
    at: at.getTime(),
  };
  const address = { key: "", messageId: newId(at) };
  const receipt = outgoing(context, "carriers.receipts", { ...address, message });
  const named = provider === "" ? {} : { provider: headerText(message.provider) };
  const headers = { ...receipt.headers, ...named };
  return { ...receipt, key: source.key, headers };
}

function shortened(id: string | undefined): string | null {
  return id === undefined ? null : id.slice(0, MAX_ID_LENGTH);
}
