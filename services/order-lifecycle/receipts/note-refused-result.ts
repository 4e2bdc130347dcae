import { senderHeaders } from "../../domain/carrier/sender-headers.ts";
import { refused } from "../../domain/carrier/rules/receipt.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { following } from "../../messages/bus/outgoing.ts";
import type { CarrierResult } from "../../messages/generated/carrier-result.ts";
import { classifyError } from "../../platform/kafka/classify-error.ts";
import type { DeadLetterNote, DescribeDeadLetter } from "../../platform/kafka/dead-letters.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { writeResultReceipt } from "./write-result-receipt.ts";

const RESULTS = "porting.carrier-results";

/** A carrier's message whose result is dead-lettered had no effect: its receipt says so. */
export function noteRefusedResult(bus: Bus): DeadLetterNote {
  return async (tx, raw, { code, detail }) => {
    if (raw.topic !== bus.topicPrefix + RESULTS) return;
    const message = await readResult(bus, raw);
    if (message === null) return;
    const writer = { ...following(bus, raw), tx };
    await writeResultReceipt(writer, { message, raw, outcome: refused(code, detail) });
  };
}

/** Whose message the result of a dead letter is. */
export function describeResult(bus: Bus): DescribeDeadLetter {
  return async (raw) => {
    const message = raw.topic === bus.topicPrefix + RESULTS ? await readResult(bus, raw) : null;
    return message === null ? {} : senderHeaders(message);
  };
}

/** Null for unreadable bytes: carrier-adapter did not write them, and no carrier's message is behind them. */
async function readResult(bus: Bus, raw: RawMessage): Promise<CarrierResult | null> {
  try {
    return await bus.codec.decode(RESULTS, raw.value);
  } catch (error) {
    if (classifyError(error) !== "poison") throw error;
    return null;
  }
}
