import kafkajs from "kafkajs";
import { AppError } from "../../platform/errors.ts";
import { NoBrokers } from "../../platform/kafka/broker-list.ts";
import type { Producer } from "../../platform/kafka/producer.ts";
import type { Logger } from "../../platform/logger.ts";
import type { MessageSeal } from "../../platform/outbox/message-seal.ts";
import type { OutboxMessage, Place } from "./outbox-message.ts";

const FIRST_BACKOFF_MS = 100;
const MOST_BACKOFF_MS = 2_000;

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
class SealFault extends Error {
  override readonly name = "SealFault";
}

type SendFault =
  /** Of one of the topics that were sent to: it says nothing of the others. */
  | { readonly of: "topic"; readonly mostHoldMs: number }
  /** Of one of the messages that were sent. */
  | { readonly of: "message"; readonly detail: string }
  /** Kafka is away. */
  | { readonly of: "all" };

/** Whose fault it is that a send failed. */
function faultOf(error: unknown): SendFault {
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

export interface SenderOptions {
  readonly producer: Producer;
  /** Gives up at once, so that a topic that Kafka refuses takes no time from the others. */
  readonly trialProducer: Producer;
  readonly seal: MessageSeal;
  readonly log: Logger;
  /** Before each request. @throws where this process may no longer send */
  readonly mayStillSend: () => void;
  readonly rest: (ms: number) => Promise<void>;
  readonly onSent: (places: readonly Place[]) => void;
  /** Messages of one topic that Kafka refuses: they wait in the table. */
  readonly onRefused: (messages: readonly OutboxMessage[], fault: Refusal) => Promise<void>;
  readonly onImpossible: (message: OutboxMessage, detail: string) => Promise<void>;
}

export interface Refusal {
  readonly error: unknown;
  readonly mostHoldMs: number;
}

interface Part {
  readonly messages: readonly OutboxMessage[];
  readonly isTrial: boolean;
}

function isOfTopic({ messages }: Part, { messages: others }: Part): boolean {
  return messages.every(({ topic }) => topic === others[0]?.topic);
}

/** Messages by topic, each in the given order. */
function byTopic(messages: readonly OutboxMessage[]): OutboxMessage[][] {
  const topics = new Map<string, OutboxMessage[]>();
  for (const message of messages) {
    const known = topics.get(message.topic);
    if (known === undefined) topics.set(message.topic, [message]);
    else known.push(message);
  }
  return [...topics.values()];
}

/**
 * Sends messages in their order, again and again while Kafka is away. What one topic or one message is to blame for is found
 * by sending less at once, and keeps nothing else from being sent.
 */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** Resolves once each was sent, refused or found impossible. @throws what `mayStillSend` throws */
  async send(messages: readonly OutboxMessage[], isTrial = false): Promise<void> {
    let parts: Part[] = messages.length === 0 ? [] : [{ messages, isTrial }];
    const backoff = { ms: FIRST_BACKOFF_MS };
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      this.#options.mayStillSend();
      try {
        await this.#sendPart(part);
        backoff.ms = FIRST_BACKOFF_MS;
      } catch (error) {
        const fault = faultOf(error);
        if (fault.of === "topic" && byTopic(part.messages).length === 1) {
          // Of the other parts only halves can be of this topic; they must not overtake what waits.
          const ofTopic = [part, ...parts.filter((one) => isOfTopic(one, part))];
          parts = parts.filter((one) => !ofTopic.includes(one));
          const refused = ofTopic.flatMap((one) => one.messages);
          await this.#options.onRefused(refused, { error, mostHoldMs: fault.mostHoldMs });
          continue;
        }
        if (fault.of !== "all") {
          parts.unshift(...(await this.#less(part, fault)));
          continue;
        }
        parts.unshift(part);
        const { log } = this.#options;
        log.warn({ err: error, pause_ms: backoff.ms }, "messages could not be sent; trying again");
        await this.#options.rest(backoff.ms);
        backoff.ms = Math.min(2 * backoff.ms, MOST_BACKOFF_MS);
      }
    }
  }

  async #sendPart({ messages, isTrial }: Part): Promise<void> {
    const { producer, trialProducer, onSent } = this.#options;
    const opened = messages.map((message) => this.#open(message));
    const places = await (isTrial ? trialProducer : producer).send(opened);
    onSent(
      messages.map((message, n) => {
        const sentTo = places[n];
        if (sentTo !== undefined) return { message, sentTo };
        throw new AppError("internal", "A message was sent and has no place.");
      }),
    );
  }

  #open(message: OutboxMessage): OutboxMessage {
    try {
      return { ...message, value: this.#options.seal.open(message, message), sealedKeyId: null };
    } catch (cause) {
      throw new SealFault(`A message for ${message.topic} cannot be opened.`, { cause });
    }
  }

  /** Each topic by itself, else halves; none is left of a message that is to blame itself. */
  async #less({ messages }: Part, fault: SendFault): Promise<Part[]> {
    const topics = byTopic(messages);
    const [only, ...others] = messages;
    if (only !== undefined && others.length === 0) {
      const detail = fault.of === "message" ? fault.detail : "";
      await this.#options.onImpossible(only, detail);
      return [];
    }
    const middle = Math.ceil(messages.length / 2);
    const parts = topics.length > 1 ? topics : [messages.slice(0, middle), messages.slice(middle)];
    return parts.map((one) => ({ messages: one, isTrial: true }));
  }
}
