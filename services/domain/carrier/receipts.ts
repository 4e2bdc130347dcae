import {
  outgoing,
  type MessageContext,
  type MessageWriter,
  type OutgoingMessage,
} from "../../messages/bus/outgoing.ts";
import { isUuid, newId } from "../../platform/ids.ts";
import { headerText, type RawMessage } from "../../platform/kafka/raw-message.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import type { ReceiptOutcome, ReceiptSubject } from "./rules/read-update.ts";

const LONGEST = 255;

/** Headers of a carrier's dead letter, so that its readers need not decode it to see whose it is. */
export function senderHeaders(sender: {
  readonly provider: string;
  readonly update_id?: string | undefined;
}): Record<string, string> {
  const { provider, update_id: id } = sender;
  return {
    ...(provider === "" ? {} : { provider: provider.slice(0, LONGEST) }),
    ...(id === undefined ? {} : { "update-id": id.slice(0, LONGEST) }),
  };
}

/** Longer ids are not valid: their message is refused, and its receipt shows how they begin. */
const MAX_ID_LENGTH = 255;

interface Receipt {
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

/** The message that a receipt is about; `topic` is the full name, including the prefix. */
interface ReceiptSource {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Null where the sender gave none. */
  readonly messageId: string | null;
  readonly key: Buffer | null;
}

export function sourceOf({
  topic,
  partition,
  offset,
  key,
  headers,
  messageId,
}: RawMessage): ReceiptSource {
  const isGiven = headers["message-id"]?.toLowerCase() === messageId;
  return { topic, partition, offset, key, messageId: isGiven ? messageId : null };
}

/** The source as headers of a result, so that whoever applies it can write the receipt. */
export function sourceHeaders(source: ReceiptSource): Record<string, string> {
  const { topic, partition, offset, messageId, key } = source;
  return {
    "source-topic": topic,
    "source-partition": String(partition),
    "source-offset": String(offset),
    ...(messageId === null ? {} : { "source-message-id": messageId }),
    ...(key === null ? {} : { "source-key": key.toString("base64url") }),
  };
}

/** The source that a result's headers name; null for a result without them. */
export function sourceIn(headers: RawMessage["headers"]): ReceiptSource | null {
  const topic = headers["source-topic"];
  if (topic === undefined) return null;
  const messageId = headers["source-message-id"] ?? "";
  const key = headers["source-key"];
  return {
    topic,
    partition: Number(headers["source-partition"]),
    offset: Number(headers["source-offset"]),
    messageId: isUuid(messageId) ? messageId : null,
    key: key === undefined ? null : Buffer.from(key, "base64url"),
  };
}
