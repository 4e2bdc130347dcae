import { sourceOf } from "../../domain/carrier/receipt-source.ts";
import { refused } from "../../domain/carrier/rules/receipt.ts";
import { senderHeaders } from "../../domain/carrier/sender-headers.ts";
import { writeReceipt } from "../../domain/carrier/write-receipt.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { following } from "../../messages/bus/outgoing.ts";
import type { StaticTopicName } from "../../messages/topics.ts";
import { isUuid } from "../../platform/ids.ts";
import type { DeadLetterNote, DescribeDeadLetter } from "../../platform/kafka/dead-letters.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { orderIdOf } from "../../domain/order/store/note-dead-letter.ts";
import { readSubject } from "./read-subject.ts";

const FROM_CARRIERS: readonly StaticTopicName[] = [
  "carriers.updates",
  "carriers.port-outs",
  "carriers.calls",
];

function isFromCarriers(bus: Bus, topic: string): boolean {
  return FROM_CARRIERS.some((name) => bus.topicPrefix + name === topic);
}

/** The receipt of a carrier's message that is dead-lettered. */
export function noteRefusal(bus: Bus): DeadLetterNote {
  return async (tx, raw, { code, detail }) => {
    if (!isFromCarriers(bus, raw.topic)) return;
    await writeReceipt(
      { ...following(bus, raw), tx },
      {
        source: sourceOf(raw),
        subject: await readSubject(bus, raw),
        outcome: refused(code, detail),
        at: bus.clock.now(),
      },
    );
  };
}

export function describeSender(bus: Bus): DescribeDeadLetter {
  return async (raw) => senderHeaders(await readSubject(bus, raw));
}

/** The order that a message names, whatever its key; that of the key where it names none. */
export function orderIdIn(bus: Bus): (raw: RawMessage) => Promise<string | null> {
  return async (raw) => {
    const named = (await readSubject(bus, raw)).order_id?.toLowerCase() ?? "";
    return isUuid(named) ? named : orderIdOf(raw);
  };
}
