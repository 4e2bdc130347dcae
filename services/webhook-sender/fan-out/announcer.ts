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
const OWN_WAIT_MS = 200;
const MAX_OWN_IDS = 2_000;

/** Publishes new deliveries without delaying the fan-out; `drain` waits for messages being sent. */
export interface Announcer {
  announce(queues: readonly QueueDeliveries[]): void;
  drain(): Promise<void>;
}

export interface AnnouncerParts {
  readonly scheduler: Pick<Scheduler, "offer">;
  readonly ownQueues: OwnQueues;
}

/**
 * Sends one message per endpoint and 100 deliveries. Deliveries whose message would come back to this process are offered
 * to the scheduler at once, and their messages wait a moment for more. A lost message only costs a delay: the sweeper
 * finds its deliveries.
 */
export function createAnnouncer(bus: Bus, parts: AnnouncerParts): Announcer {
  return new BatchingAnnouncer(bus, parts);
}

class BatchingAnnouncer implements Announcer {
  readonly #bus: Bus;
  readonly #parts: AnnouncerParts;
  readonly #underWay = new Set<Promise<void>>();
  /** Ids of deliveries that were offered here, by endpoint key. */
  #own = new Map<string, string[]>();
  #ownIds = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(bus: Bus, parts: AnnouncerParts) {
    this.#bus = bus;
    this.#parts = parts;
  }

  announce(queues: readonly QueueDeliveries[]): void {
    const { ownQueues } = this.#parts;
    for (const queue of queues) if (ownQueues.has(queue.endpoint_key)) this.#begin(queue);
    this.#send(queues.filter((queue) => !ownQueues.has(queue.endpoint_key)));
    if (this.#ownIds >= MAX_OWN_IDS) this.#sendOwn();
    else if (this.#ownIds > 0) this.#timer ??= this.#sendOwnLater();
  }

  async drain(): Promise<void> {
    this.#sendOwn();
    await Promise.all(this.#underWay);
  }

  #begin({ endpoint_key: key, delivery_ids: ids }: QueueDeliveries): void {
    this.#parts.scheduler.offer({ endpoint_key: key, priority: PRIORITIES.first }, ids);
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
    const own = [...this.#own].map(([endpoint_key, delivery_ids]) => ({
      endpoint_key,
      delivery_ids,
    }));
    this.#own = new Map();
    this.#ownIds = 0;
    this.#send(own, (messageId) => this.#parts.ownQueues.handOver(messageId));
  }

  #send(queues: readonly QueueDeliveries[], onMade?: (messageId: string) => void): void {
    if (queues.length === 0) return;
    const messages = queues.flatMap((queue) =>
      [...chunks(queue.delivery_ids)].map((ids) => this.#messageOf(queue.endpoint_key, ids)),
    );
    for (const { messageId } of messages) onMade?.(messageId);
    const sending = this.#publish(messages).finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  #messageOf(key: string, ids: readonly string[]): OutgoingMessage {
    const messageId = newId(this.#bus.clock.now());
    const message = { endpoint_key: key, delivery_ids: ids };
    return outgoing(this.#bus, "porting.webhook-attempts", { key, messageId, message });
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
