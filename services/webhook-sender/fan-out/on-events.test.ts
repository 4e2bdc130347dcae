import { describe, expect, it } from "@jest/globals";
import type { QueryConfig } from "pg";
import { freshEvent } from "../../../test/support/orders/event-factory.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { PortingEvent } from "../../messages/generated/porting-event.ts";
import { onEvents } from "./on-events.ts";

const NOW = new Date("2026-11-02T09:00:00.000Z");
const [ONE, OTHER] = [
  "01a19b7c-a687-7195-84b0-000000000011",
  "01a19b7c-a687-7195-84b0-000000000012",
];
const SAMPLED = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const LATER = SAMPLED.replace("-00f0", "-11f0");
const UNSAMPLED = SAMPLED.replace(/01$/, "00");

const received = (message: PortingEvent, traceparent = UNSAMPLED) => ({
  message,
  raw: buildRawMessage({ headers: { traceparent } }),
});

const MADE = {
  endpoint_key: "endpoint",
  delivery_ids: ["later"],
  claimed: [{ id: "now", event_id: "", logged: null }],
};

/** A fan-out whose statement makes two deliveries of an event, or fails; what it asks of the scheduler and of the database. */
function setUp({ fails = false, of = "" } = {}) {
  const asked: unknown[] = [];
  const calls: unknown[] = [];
  const rows = [{ ...MADE, claimed: MADE.claimed.map((one) => ({ ...one, event_id: of })) }];
  const query = ({ values = [] }: QueryConfig) => {
    asked.push(JSON.parse(String(values[0])));
    return fails ? Promise.reject(new Error("full")) : Promise.resolve({ rows });
  };
  const bus = {
    pool: { query },
    clock: { now: () => NOW },
    apart: <T>(work: () => Promise<T>) => work(),
  } as unknown as Bus;
  const apply = onEvents(bus, "webhook-sender", {
    notices: null,
    scheduler: {
      rooms: (events) => {
        calls.push(["rooms", [...events]]);
        return { endpoint: 2 };
      },
      begin: (claimed) => Promise.resolve(void calls.push(["begin", claimed.map(({ id }) => id)])),
      wake: (lines) => void calls.push(["wake", ...lines]),
    },
  });
  const position = { topic: "porting.events", partition: 0, nextOffset: 9 };
  return {
    apply: (...events: ReturnType<typeof received>[]) => apply(events, position),
    asked,
    calls,
  };
}

describe("the events of a batch", () => {
  it("ask for room by the number of each account's; what was claimed begins, and the queues of the rest are woken", async () => {
    const events = [ONE, OTHER, ONE].map((account) => freshEvent(account, NOW));
    const { apply, asked, calls } = setUp({ of: events[0]?.id ?? "" });
    await apply(...events.map((event) => received(event)));
    const counts = [
      [ONE, 2],
      [OTHER, 1],
    ];
    expect(calls).toEqual([
      ["rooms", counts],
      ["wake", { endpoint_key: "endpoint", priority: 0 }],
      ["begin", ["now"]],
    ]);
    expect(asked).toMatchObject([{ consumer: "webhook-sender", rooms: { endpoint: 2 } }]);
  });

  it("begin nothing where they cannot be stored", async () => {
    const { apply, calls } = setUp({ fails: true });
    await expect(apply(received(freshEvent(ONE, NOW)))).rejects.toThrow("full");
    expect(calls).toEqual([["rooms", [[ONE, 1]]]]);
  });

  it("continue their traces where these are sampled, one that comes twice that of the first", async () => {
    const { apply, asked } = setUp();
    const event = freshEvent(ONE, NOW);
    await apply(received(event, SAMPLED), received(event, LATER), received(freshEvent(ONE, NOW)));
    expect(asked).toMatchObject([{ traces: { [event.id]: SAMPLED } }]);
  });
});
