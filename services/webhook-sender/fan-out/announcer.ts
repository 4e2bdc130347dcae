import type { Bus } from "../../messages/bus/bus.ts";
import { outgoing, type OutgoingMessage } from "../../messages/bus/outgoing.ts";
import { newId } from "../../platform/ids.ts";
import { PRIORITIES } from "../queue/priority.ts";
import type { Scheduler } from "../queue/scheduler.ts";
import type { LaneDeliveries } from "../store/fan-out.ts";
import type { OwnLanes } from "../queue/own-queues.ts";

const MAX_IDS = 100;

/** Sends words about new deliveries without holding up who made them; `drain` waits for those under way. */
export interface Announcer {
  announce(lanes: readonly LaneDeliveries[]): void;
  drain(): Promise<void>;
}

export interface AnnouncerParts {
  readonly scheduler: Pick<Scheduler, "offer">;
  readonly ownLanes: OwnLanes;
}

/**
 * One message per endpoint and 100 deliveries. What would come back to this process it takes at once. A message that is
 * lost costs a delay: the sweeper finds the deliveries.
 */
export function createAnnouncer(bus: Bus, { scheduler, ownLanes }: AnnouncerParts): Announcer {
  const underWay = new Set<Promise<void>>();
  const word = ({ endpoint_key: key, delivery_ids: ids }: LaneDeliveries): OutgoingMessage => {
    const messageId = newId(bus.clock.now());
    if (ownLanes.has(key)) {
      ownLanes.handOver(messageId);
      scheduler.offer({ endpoint_key: key, priority: PRIORITIES.first }, ids);
    }
    const message = { endpoint_key: key, delivery_ids: ids };
    return outgoing(bus, "porting.webhook-attempts", { key, messageId, message });
  };
  const send = async (lanes: readonly LaneDeliveries[]): Promise<void> => {
    const messages = lanes.flatMap((lane) =>
      [...chunks(lane.delivery_ids)].map((delivery_ids) => word({ ...lane, delivery_ids })),
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
    announce: (lanes) => {
      if (lanes.length === 0) return;
      const sending = send(lanes).finally(() => underWay.delete(sending));
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
