import { senderHeaders, sourceOf, writeReceipt } from "../../domain/carrier/receipts.ts";
import { refused, type ReceiptSubject, ignored } from "../../domain/carrier/rules/read-update.ts";
import { noteInTimeline, orderIdOf } from "../../domain/order/store/timeline.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { following, type MessageWriter } from "../../messages/bus/outgoing.ts";
import type { Stream } from "../../messages/bus/stream.ts";
import { isFromCarriers } from "../../messages/topics.ts";
import { uuidIn } from "../../platform/ids.ts";
import { classifyError } from "../../platform/kafka/kafka-faults.ts";
import type { DeadLetterNote, DescribeDeadLetter } from "../../platform/kafka/dead-letters.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Claim } from "../store/update-claims.ts";

/** Whose message is dead-lettered, and about which order; notes it in the order's timeline, and to its carrier by a receipt. */
export function describeMessage(bus: Bus): DescribeDeadLetter {
  return async (raw, isReadable) => {
    const subject = await readSubject(bus, raw, isReadable);
    // The order that it names, whatever its key.
    const orderId = uuidIn(subject.order_id) ?? orderIdOf(raw);
    const toDesk = noteInTimeline(bus.clock, { raw, orderId });
    const toCarrier = noteRefusal(bus, raw, subject);
    return {
      headers: senderHeaders(subject),
      orderId,
      note: async (tx, cause) => {
        await toDesk(tx, cause);
        await toCarrier(tx, cause);
      },
    };
  };
}

/** Whose call is dead-lettered, which is about no order; notes it to its carrier by a receipt. */
export function describeCall(bus: Bus): DescribeDeadLetter {
  return async (raw, isReadable) => {
    const subject = await readSubject(bus, raw, isReadable);
    return { headers: senderHeaders(subject), note: noteRefusal(bus, raw, subject) };
  };
}

/** The receipt of a carrier's message that is dead-lettered. */
function noteRefusal(bus: Bus, raw: RawMessage, subject: ReceiptSubject): DeadLetterNote {
  return async (tx, { code, detail }) => {
    if (!isFromCarriers(raw.topic.slice(bus.topicPrefix.length))) return;
    await writeReceipt(
      { ...following(bus, raw), tx },
      { source: sourceOf(raw), subject, outcome: refused(code, detail), at: bus.clock.now() },
    );
  };
}

type Reader = Pick<Stream, "codec" | "topicPrefix">;

/**
 * Who published a message that is dead-lettered, and what it is about. Bytes that cannot be read, or must not be, leave
 * the header `provider`, which a sender may set.
 * @throws retryable errors of the registry
 */
async function readSubject(
  reader: Reader,
  raw: RawMessage,
  isReadable: boolean,
): Promise<ReceiptSubject> {
  const byHeader = { provider: raw.headers["provider"] ?? "" };
  if (!isReadable) return byHeader;
  try {
    return await decodeSubject(reader, raw);
  } catch (error) {
    if (classifyError(error) !== "poison") throw error;
    return byHeader;
  }
}

async function decodeSubject(
  { codec, topicPrefix }: Reader,
  { topic, value }: RawMessage,
): Promise<ReceiptSubject> {
  switch (topic.slice(topicPrefix.length)) {
    case "carriers.updates": {
      const { provider, update_id, order_id } = await codec.decode("carriers.updates", value);
      return { provider, update_id, order_id };
    }
    case "carriers.port-outs": {
      const update = await codec.decode("carriers.port-outs", value);
      const { provider, update_id, port_out_ref } = update;
      return { provider, update_id, port_out_ref };
    }
    case "carriers.calls": {
      const { provider, call_id } = await codec.decode("carriers.calls", value);
      return { provider, call_id };
    }
    case "porting.carrier-requests": {
      const { provider, order_id } = await codec.decode("porting.carrier-requests", value);
      return { provider, ...(order_id === null ? {} : { order_id }) };
    }
    default:
      return { provider: "" };
  }
}

export interface Repeat {
  readonly claim: Exclude<Claim, "first">;
  readonly raw: RawMessage;
  readonly subject: ReceiptSubject;
}

/** The receipt of a message that repeats another one; the same message has its receipt already. */
export async function confirmRepeat(
  writer: MessageWriter & { readonly clock: Clock },
  { claim, raw, subject }: Repeat,
): Promise<void> {
  if (claim === "redelivered") return;
  const outcome = ignored("repeated", "The same update_id came with the same content before.");
  await writeReceipt(writer, { source: sourceOf(raw), subject, outcome, at: writer.clock.now() });
}
