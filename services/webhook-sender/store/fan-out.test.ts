import { describe, expect, it } from "@jest/globals";
import { buildEvent } from "../../../test/support/orders/event-factory.ts";
import { toStorable } from "../../domain/event/rules/storable-event.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { fanOut } from "./fan-out.ts";

const NOW = new Date("2026-11-02T09:00:01.000Z");
const first = toStorable(buildEvent("porting_order.created"));
const second = { ...first, body: Buffer.from("{}") };
const TRACES = { [first.id]: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };

const NOTHING_CLAIMED = {
  claimed: [],
  url: null,
  max_per_second: null,
  signing_secret: null,
  secret_key_id: null,
  previous_secret: null,
  previous_secret_key_id: null,
};
const CLAIMED = {
  ...NOTHING_CLAIMED,
  endpoint_key: "endpoint",
  delivery_ids: ["later"],
  claimed: [{ id: "now", event_id: first.id, logged: null }],
  url: "https://example.com/hooks",
  max_per_second: 5,
  signing_secret: Buffer.from("secret"),
  secret_key_id: "key",
};

/** What the fan-out of the events answers, and what it asks of a database that returns the rows. */
async function fannedOut(rows: readonly object[], events = [first, second]) {
  const asked: unknown[][] = [];
  const db = {
    query: ({ values = [] }: { readonly values?: unknown[] }) => {
      asked.push(values);
      return Promise.resolve({ rows });
    },
  } as unknown as Queryable;
  const made = await fanOut(db, {
    ...{ consumer: "webhook-sender", events, positions: [], now: NOW },
    ...{ traces: TRACES, rooms: { endpoint: 1 } },
  });
  return { made, asked: asked[0] ?? [] };
}

describe("the fan-out of a batch with an event twice", () => {
  it("stores the first of them, and attempts what it stored", async () => {
    const { made, asked } = await fannedOut([CLAIMED]);
    expect(asked).toContainEqual([first.id]);
    expect(asked).toContainEqual([first.body]);
    expect(made.claimed.map(({ body }) => body)).toEqual([first.body]);
  });
});

describe("the deliveries of a batch", () => {
  it("are sent with the bytes that the log had before", async () => {
    const logged = Buffer.from("the log's").toString("base64");
    const { made } = await fannedOut([
      { ...CLAIMED, claimed: [{ id: "now", event_id: first.id, logged }] },
    ]);
    expect(made.claimed.map(({ body }) => body.toString())).toEqual(["the log's"]);
  });

  it("are either claimed, with all that an attempt needs, or wait to be", async () => {
    const waits = { ...NOTHING_CLAIMED, endpoint_key: "other", delivery_ids: ["one", "two"] };
    const { made } = await fannedOut([CLAIMED, waits], [first]);
    expect(made.waiting).toMatchObject([
      { endpoint_key: "endpoint", delivery_ids: ["later"] },
      { endpoint_key: "other", delivery_ids: ["one", "two"] },
    ]);
    expect(made.claimed).toEqual([
      {
        id: "now",
        account_id: first.accountId,
        event_id: first.id,
        event_type: "porting_order.created",
        event_at: first.createdAt,
        endpoint_key: "endpoint",
        claim_no: 1,
        attempt_count: 1,
        by_hand: false,
        priority: 0,
        traceparent: TRACES[first.id],
        max_per_second: 5,
        url: "https://example.com/hooks",
        body: first.body,
        secret_owner: "endpoint",
        signing_secret: Buffer.from("secret"),
        secret_key_id: "key",
        previous_secret: null,
        previous_secret_key_id: null,
      },
    ]);
  });
});
