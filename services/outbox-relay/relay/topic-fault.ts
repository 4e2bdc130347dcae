import kafkajs from "kafkajs";
import { NoBrokers } from "../../platform/kafka/broker-list.ts";

const MOST_HOLD_MS = 30_000;
/** What passes by itself is to be noticed soon. */
const MOST_LEADERLESS_MS = 4_000;

/** Faults of a topic's own, and how long its messages wait for another try at most. */
const TOPIC_FAULTS: ReadonlyMap<string, number> = new Map([
  ["TOPIC_AUTHORIZATION_FAILED", MOST_HOLD_MS],
  ["UNKNOWN_TOPIC_OR_PARTITION", MOST_HOLD_MS],
  ["LEADER_NOT_AVAILABLE", MOST_LEADERLESS_MS],
  ["INVALID_TOPIC_EXCEPTION", MOST_HOLD_MS],
  ["POLICY_VIOLATION", MOST_HOLD_MS],
]);

/** Faults of a message, or of a batch that is too large. */
const MESSAGE_FAULTS: ReadonlySet<string> = new Set([
  "MESSAGE_TOO_LARGE",
  "RECORD_LIST_TOO_LARGE",
  "INVALID_RECORD",
]);

/** A value that cannot be opened: its key is not known here, or no longer. */
export class SealFault extends Error {
  override readonly name = "SealFault";
}

export type SendFault =
  /** Of one of the topics that were sent to: it says nothing of the others. */
  | { readonly of: "topic"; readonly mostHoldMs: number }
  /** Of one of the messages that were sent. */
  | { readonly of: "message"; readonly detail: string }
  /** Kafka is away. */
  | { readonly of: "all" };

/** Whose fault it is that a send failed. */
export function faultOf(error: unknown): SendFault {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof NoBrokers) break;
    if (at instanceof SealFault) return { of: "topic", mostHoldMs: MOST_HOLD_MS };
    if (!(at instanceof kafkajs.KafkaJSProtocolError)) continue;
    const mostHoldMs = TOPIC_FAULTS.get(at.type);
    if (mostHoldMs !== undefined) return { of: "topic", mostHoldMs };
    if (MESSAGE_FAULTS.has(at.type))
      return { of: "message", detail: `Kafka refuses it: ${at.type}.` };
  }
  return { of: "all" };
}
