import type { Bus } from "../../messages/bus/bus.ts";
import { outgoing, type OutgoingMessage } from "../../messages/bus/outgoing.ts";
import { newId } from "../../platform/ids.ts";
import { runOutsideSpans } from "../../platform/tracing/current-span.ts";
import { PRIORITIES } from "../queue/priority.ts";
import type { Scheduler } from "../queue/scheduler.ts";
import type { QueueDeliveries } from "../store/fan-out.ts";
import type { OwnQueues } from "../queue/own-queues.ts";

const MAX_IDS = 100;
/** How long deliveries that this process has begun already wait for others, to be announced together. */
const OWN_WAIT_MS = 1_000;
const MAX_OWN_IDS = 2_000;

export interface AnnouncerParts {
  readonly scheduler: Pick<Scheduler, "offer">;
  readonly ownQueues: OwnQueues;
}

/**
 * Publishes new deliveries without delaying the fan-out: one message per endpoint and 100 deliveries. Deliveries whose
 * message would come back to this process are offered to the scheduler at once, and their messages wait a moment for more.
 * A lost message only costs a delay: the sweeper finds its deliveries.
 */
export class Announcer {
  readonly #bus: Bus;
  readonly #parts: AnnouncerParts;
  readonly #underWay = new Set<Promise<void>>();
  /** Ids of deliveries that were begun here, by endpoint key. */
  #own = new Map<string, string[]>();
  #ownIds = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(bus: Bus, parts: AnnouncerParts) {
    this.#bus = bus;
    this.#parts = parts;
  }

  /** @param begun deliveries that this process attempts already, which are only published. */
  announce(waiting: readonly QueueDeliveries[], begun: readonly QueueDeliveries[]): void {
    const others: OutgoingMessage[] = [];
    for (const queue of waiting) {
      if (this.#parts.ownQueues.has(queue.endpoint_key)) this.#begin(queue);
      else others.push(...this.#messagesOf(queue));
    }
    begun.forEach((queue) => this.#note(queue));
    this.#send(others);
    if (this.#ownIds >= MAX_OWN_IDS) this.#sendOwn();
    else if (this.#ownIds > 0) this.#timer ??= this.#sendOwnLater();
  }

  /** Sends what waits, and waits for all messages being sent. */
  async drain(): Promise<void> {
    this.#sendOwn();
    await Promise.all(this.#underWay);
  }

  #begin(queue: QueueDeliveries): void {
    const { endpoint_key, delivery_ids } = queue;
    this.#parts.scheduler.offer({ endpoint_key, priority: PRIORITIES.first }, delivery_ids);
    this.#note(queue);
  }

  /** Lets the message of deliveries that were begun here wait for more. */
  #note({ endpoint_key: key, delivery_ids: ids }: QueueDeliveries): void {
    const waiting = this.#own.get(key);
    if (waiting === undefined) this.#own.set(key, [...ids]);
    else waiting.push(...ids);
    this.#ownIds += ids.length;
  }

  /** They are of several events, and so of no event's trace. */
  #sendOwnLater(): NodeJS.Timeout {
    return runOutsideSpans(() => setTimeout(() => this.#sendOwn(), OWN_WAIT_MS));
  }

  #sendOwn(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const messages = [...this.#own].flatMap(([endpoint_key, delivery_ids]) =>
      this.#messagesOf({ endpoint_key, delivery_ids }),
    );
    this.#own = new Map();
    this.#ownIds = 0;
    for (const { messageId } of messages) this.#parts.ownQueues.handOver(messageId);
    this.#send(messages);
  }

  #messagesOf({ endpoint_key: key, delivery_ids: ids }: QueueDeliveries): OutgoingMessage[] {
    return [...chunks(ids)].map((delivery_ids) => {
      const messageId = newId(this.#bus.clock.now());
      const message = { endpoint_key: key, delivery_ids };
      return outgoing(this.#bus, "porting.webhook-attempts", { key, messageId, message });
    });
  }

  #send(messages: readonly OutgoingMessage[]): void {
    if (messages.length === 0) return;
    const sending = this.#publish(messages).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  async #publish(messages: readonly OutgoingMessage[]): Promise<void> {
    const { producer, log } = this.#bus;
    try {
      await producer.send(messages);
    } catch (error) {
      log.warn({ err: error, deliveries: messages.length }, "new deliveries were not announced");
    }
  }
}

function* chunks(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += MAX_IDS) yield ids.slice(from, from + MAX_IDS);
}
