import { receiptMessage, senderHeaders, sourceIn } from "../../domain/carrier/receipts.ts";
import { type ReceiptOutcome, refused } from "../../domain/carrier/rules/read-update.ts";
import {
  type MessageContext,
  type MessageWriter,
  type OutgoingMessage,
  following,
} from "../../messages/bus/outgoing.ts";
import type { CarrierResult } from "../../messages/generated/carrier-result.ts";
import type { Clock } from "../../platform/clock.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { writeOutbox } from "../../platform/outbox/outbox.ts";
import { noteInTimeline, orderIdOf } from "../../domain/order/store/timeline.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { classifyError } from "../../platform/kafka/kafka-faults.ts";
import type { DescribeDeadLetter } from "../../platform/kafka/dead-letters.ts";

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

const RESULTS = "porting.carrier-results";

/**
 * Whose message the result of a dead letter is; notes it in the order's timeline. A carrier's message whose result is
 * dead-lettered had no effect: its receipt says so.
 */
export function describeLetter(bus: Bus): DescribeDeadLetter {
  return async (raw, isReadable) => {
    const inTimeline = noteInTimeline(bus.clock, { raw, orderId: orderIdOf(raw) });
    const isResult = raw.topic === bus.topicPrefix + RESULTS;
    const message = isResult && isReadable ? await readResult(bus, raw) : null;
    if (message === null) return { note: inTimeline };
    return {
      headers: senderHeaders(message),
      note: async (tx, cause) => {
        await inTimeline(tx, cause);
        const outcome = refused(cause.code, cause.detail);
        await writeResultReceipt({ ...following(bus, raw), tx }, { message, raw, outcome });
      },
    };
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
