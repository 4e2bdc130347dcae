import type { Bus } from "../messages/bus.ts";
import { outgoing } from "../messages/outgoing.ts";
import { newId } from "../platform/ids.ts";
import type { LaneDeliveries } from "./fan-out-store.ts";

const MAX_IDS = 100;

/** Sends words about new deliveries without holding up who made them; `drain` waits for those under way. */
export interface Announcer {
  announce(lanes: readonly LaneDeliveries[]): void;
  drain(): Promise<void>;
}

/** One message per endpoint and 100 deliveries. A lost one costs a delay: the sweeper finds the deliveries. */
export function createAnnouncer(bus: Bus): Announcer {
  const underWay = new Set<Promise<void>>();
  const send = async (lanes: readonly LaneDeliveries[]): Promise<void> => {
    const messages = lanes.flatMap((lane) =>
      [...chunks(lane.delivery_ids)].map((delivery_ids) => {
        const address = { key: lane.endpoint_key, messageId: newId(bus.clock.now()) };
        const message = { endpoint_key: lane.endpoint_key, delivery_ids };
        return outgoing(bus, "porting.webhook-attempts", message, address);
      }),
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
