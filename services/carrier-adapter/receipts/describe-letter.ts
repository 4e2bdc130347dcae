import { sourceOf } from "../../domain/carrier/receipt-source.ts";
import { refused, type ReceiptSubject } from "../../domain/carrier/rules/receipt.ts";
import { senderHeaders } from "../../domain/carrier/sender-headers.ts";
import { writeReceipt } from "../../domain/carrier/write-receipt.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { following } from "../../messages/bus/outgoing.ts";
import { isFromCarriers } from "../../messages/topic-names.ts";
import { uuidIn } from "../../platform/ids.ts";
import type { DeadLetterNote, DescribeDeadLetter } from "../../platform/kafka/dead-letters.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { noteInTimeline, orderIdOf } from "../../domain/order/store/note-dead-letter.ts";
import { readSubject } from "./read-subject.ts";

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
