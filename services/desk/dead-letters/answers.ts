import { z } from "zod";
import { maskValues } from "../../domain/account/rules/audit-entry.ts";
import type { RouteBus } from "../../messages/bus/bus.ts";
import type { TopicName } from "../../messages/topics.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { NOT_READ } from "../../platform/kafka/dead-letters.ts";
import { MAX_KEY_BYTES } from "../../platform/kafka/raw-message.ts";
import { DEAD_LETTER_STATES, type DeadLetter } from "./store.ts";

export const deadLetterAnswer = z
  .object({
    id: idText("The dead letter's id"),
    topic: z.string().meta({
      description: "The topic that the message came from, without the deployment's prefix",
      examples: ["carriers.updates"],
    }),
    partition: z.int().describe("The message's partition of that topic"),
    offset: z.int().describe("The message's offset in that partition"),
    key: z
      .string()
      .nullable()
      .describe("The message's key, such as the order's id; its first 255 bytes if it is longer"),
    consumer: z
      .string()
      .meta({ examples: ["carrier-adapter"] })
      .describe("The consumer that could not handle it"),
    error_code: z.string().meta({
      description: "Why it could not be handled, for programs; its header `error-code` too",
      examples: ["undecodable"],
    }),
    error_detail: z.string().meta({
      description: "Why it could not be handled, for people",
      examples: ["The value does not begin with a zero byte and a schema id."],
    }),
    value: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ examples: [null] })
      .describe(
        "The message with sensitive values masked, or `{base64}` where it cannot be decoded; null in a list over 64 KiB",
      ),
    headers: z
      .record(z.string(), z.string())
      .meta({ examples: [{ traceparent: "00-…" }] })
      .describe("The message's headers as text; one that is too long was left behind"),
    porting_order_id: idText("The order that the message names, or that is its key").nullable(),
    state: z.enum(DEAD_LETTER_STATES).describe("`parked` until it is replayed or discarded"),
    created_at: timeText("When it could not be handled"),
  })
  .meta({ id: "DeadLetter", description: "A message that a consumer could not handle" });

export async function present(bus: RouteBus, letter: DeadLetter) {
  const { id, consumer, key, error_code, error_detail, state, created_at } = letter;
  const topic = letter.topic.slice(bus.topicPrefix.length);
  return {
    id,
    topic,
    partition: letter.kafka_partition,
    offset: letter.kafka_offset,
    key: key?.subarray(0, MAX_KEY_BYTES).toString() ?? null,
    consumer,
    error_code,
    error_detail,
    value: await decoded(bus, topic, letter),
    headers: letter.headers,
    porting_order_id: letter.porting_order_id,
    state,
    created_at,
  };
}

/** The decoded value with PINs masked; its bytes, sealed ones as they are, in base64 where it cannot be decoded. */
async function decoded(bus: RouteBus, topic: string, letter: DeadLetter): Promise<unknown> {
  if (letter.value === null) return null;
  // It ended whoever read it.
  if (letter.error_code === NOT_READ) return { base64: letter.value.toString("base64") };
  try {
    const value = openValue(bus, letter);
    // A name that is not a topic of the bus fails to decode as well.
    return maskValues({ ...(await bus.codec.decode(topic as TopicName, value)) });
  } catch {
    return { base64: letter.value.toString("base64") };
  }
}

function openValue(bus: RouteBus, letter: DeadLetter): Buffer | null {
  const { topic, value, message_id: messageId, sealed_key_id: sealedKeyId } = letter;
  return bus.seal.open({ value, sealedKeyId }, { topic, messageId: messageId ?? "" });
}
