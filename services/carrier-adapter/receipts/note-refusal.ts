import { sourceOf } from "../../domain/carrier/receipt-source.ts";
import { refused } from "../../domain/carrier/rules/receipt.ts";
import { writeReceipt } from "../../domain/carrier/write-receipt.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { following } from "../../messages/bus/outgoing.ts";
import type { StaticTopicName } from "../../messages/topics.ts";
import type { DeadLetterNote, DescribeDeadLetter } from "../../platform/kafka/dead-letters.ts";
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

/** Headers of a carrier's dead letter, so that its readers need not decode it to see whose it is. */
export function describeSender(bus: Bus): DescribeDeadLetter {
  return async (raw) => {
    if (!isFromCarriers(bus, raw.topic)) return {};
    const { provider, update_id: id } = await readSubject(bus, raw);
    return {
      ...(provider === "" ? {} : { provider: provider.slice(0, 255) }),
      ...(id === undefined ? {} : { "update-id": id.slice(0, 255) }),
    };
  };
}
