import { AppError } from "../../platform/errors.ts";
import type { Producer } from "../../platform/kafka/producer.ts";
import type { Logger } from "../../platform/logger.ts";
import type { MessageSeal } from "../../platform/outbox/message-seal.ts";
import type { OutboxMessage, Place } from "./outbox-message.ts";
import { faultOf, SealFault, type SendFault } from "./topic-fault.ts";

const FIRST_BACKOFF_MS = 100;
const MOST_BACKOFF_MS = 2_000;

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
