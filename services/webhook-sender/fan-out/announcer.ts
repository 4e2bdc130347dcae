import type { Bus } from "../../messages/bus/bus.ts";
import { outgoing, type OutgoingMessage } from "../../messages/bus/outgoing.ts";
import { newId } from "../../platform/ids.ts";
import { PRIORITIES } from "../queue/priority.ts";
import type { Scheduler } from "../queue/scheduler.ts";
import type { QueueDeliveries } from "../store/fan-out.ts";
import type { OwnQueues } from "../queue/own-queues.ts";

const MAX_IDS = 100;

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
 * Sends one message per endpoint and 100 deliveries. Deliveries whose message would come back to this
 * process are offered to the scheduler directly. A lost message only costs a delay: the sweeper finds its
 * deliveries.
 */
export function createAnnouncer(bus: Bus, { scheduler, ownQueues }: AnnouncerParts): Announcer {
  const underWay = new Set<Promise<void>>();
  const toMessage = ({
    endpoint_key: key,
    delivery_ids: ids,
  }: QueueDeliveries): OutgoingMessage => {
    const messageId = newId(bus.clock.now());
    if (ownQueues.has(key)) {
      ownQueues.handOver(messageId);
      scheduler.offer({ endpoint_key: key, priority: PRIORITIES.first }, ids);
    }
    const message = { endpoint_key: key, delivery_ids: ids };
    return outgoing(bus, "porting.webhook-attempts", { key, messageId, message });
  };
  const send = async (queues: readonly QueueDeliveries[]): Promise<void> => {
    const messages = queues.flatMap((queue) =>
      [...chunks(queue.delivery_ids)].map((delivery_ids) => toMessage({ ...queue, delivery_ids })),
    );
    try {
      await bus.producer.send(messages);
    } catch (error) {
      bus.log.warn(
        { err: error, deliveries: messages.length },
        "new deliveries were not announced",
      );
    }
  };
  return {
    announce: (queues) => {
      if (queues.length === 0) return;
      const sending = send(queues).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    drain: async () => {
      await Promise.all(underWay);
    },
  };
}

function* chunks(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += MAX_IDS) yield ids.slice(from, from + MAX_IDS);
}
