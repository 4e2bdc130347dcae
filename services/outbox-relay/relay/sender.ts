import kafkajs from "kafkajs";
import { AppError } from "../../platform/errors.ts";
import { NoBrokers } from "../../platform/kafka/mend-kafkajs.ts";
import type { Producer } from "../../platform/kafka/producer.ts";
import type { Logger } from "../../platform/logger.ts";
import type { MessageSeal } from "../../platform/outbox/message-seal.ts";
import type { OutboxMessage, Place } from "./outbox-message.ts";

const FIRST_BACKOFF_MS = 100;
const MOST_BACKOFF_MS = 2_000;

/** Faults of a topic's own. */
const TOPIC_FAULTS: ReadonlySet<string> = new Set([
  "TOPIC_AUTHORIZATION_FAILED",
  "UNKNOWN_TOPIC_OR_PARTITION",
  "LEADER_NOT_AVAILABLE",
  "INVALID_TOPIC_EXCEPTION",
  "POLICY_VIOLATION",
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

/** Whose fault it is that messages could not be sent: that of their topic, or of one of them. */
type SendFault =
  | { readonly of: "topic"; readonly error: unknown }
  | { readonly of: "message"; readonly type: string };

/** Null where Kafka is away. */
function faultOf(error: unknown): SendFault | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof NoBrokers) break;
    if (at instanceof SealFault) return { of: "topic", error };
    if (!(at instanceof kafkajs.KafkaJSProtocolError)) continue;
    if (TOPIC_FAULTS.has(at.type)) return { of: "topic", error };
    if (MESSAGE_FAULTS.has(at.type)) return { of: "message", type: at.type };
  }
  return null;
}

/** Messages of one topic that Kafka refuses: they wait in the table. */
export interface Refused {
  readonly messages: readonly OutboxMessage[];
  readonly error: unknown;
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
  readonly onRefused: (refused: Refused) => Promise<void>;
  readonly onImpossible: (message: OutboxMessage, detail: string) => Promise<void>;
}

/** Messages by topic, each in the given order. */
function byTopic(messages: readonly OutboxMessage[]): OutboxMessage[][] {
  const names = [...new Set(messages.map(({ topic }) => topic))];
  return names.map((name) => messages.filter(({ topic }) => topic === name));
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
    const topics = byTopic(messages);
    if (topics.length > 1 && (await this.#sendAtOnce(messages, isTrial)) === null) return;
    for (const ofTopic of topics) {
      const refused = await this.#sendTopic(ofTopic, isTrial || topics.length > 1);
      if (refused !== null) await this.#options.onRefused(refused);
    }
  }

  /** Returns what waits of them: from the first on that the topic refused, so that none overtakes it. */
  async #sendTopic(messages: readonly OutboxMessage[], isTrial: boolean): Promise<Refused | null> {
    const fault = await this.#sendAtOnce(messages, isTrial);
    if (fault === null) return null;
    if (fault.of === "topic") return { ...fault, messages };
    const [only, ...others] = messages;
    if (only !== undefined && others.length === 0) {
      await this.#options.onImpossible(only, `Kafka refuses it: ${fault.type}.`);
      return null;
    }
    const middle = Math.ceil(messages.length / 2);
    const rest = messages.slice(middle);
    const refused = await this.#sendTopic(messages.slice(0, middle), true);
    if (refused === null) return this.#sendTopic(rest, true);
    return { ...refused, messages: [...refused.messages, ...rest] };
  }

  async #sendAtOnce(messages: readonly OutboxMessage[], isTrial: boolean) {
    const { producer, trialProducer, log, mayStillSend, rest, onSent } = this.#options;
    for (let pause_ms = FIRST_BACKOFF_MS; ; pause_ms = Math.min(2 * pause_ms, MOST_BACKOFF_MS)) {
      mayStillSend();
      try {
        const opened = messages.map((message) => this.#open(message));
        const places = await (isTrial ? trialProducer : producer).send(opened);
        onSent(messages.map((message, n) => toPlace(message, places[n])));
        return null;
      } catch (error) {
        const fault = faultOf(error);
        if (fault !== null) return fault;
        log.warn({ err: error, pause_ms }, "messages could not be sent; trying again");
        await rest(pause_ms);
      }
    }
  }

  #open(message: OutboxMessage): OutboxMessage {
    try {
      return { ...message, value: this.#options.seal.open(message, message), sealedKeyId: null };
    } catch (cause) {
      throw new SealFault(`A message for ${message.topic} cannot be opened.`, { cause });
    }
  }
}

function toPlace(message: OutboxMessage, sentTo: Place["sentTo"] | undefined): Place {
  if (sentTo !== undefined) return { message, sentTo };
  throw new AppError("internal", "A message was sent and has no place.");
}
