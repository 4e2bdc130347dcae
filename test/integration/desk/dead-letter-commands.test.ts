import { beforeAll, describe, expect, it } from "@jest/globals";
import { randomBytes } from "node:crypto";
import { openCarrierSide, type CarrierSide } from "../../support/carriers/carrier-side.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";

/** More than are handled in one transaction. */
const MANY = 45;

let side: CarrierSide;
let orderId: string;
let anotherKey: string;

beforeAll(async () => {
  side = await openCarrierSide();
  orderId = await side.sentOrder();
  anotherKey = `another key of ${orderId}`;
});

function desk(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  const url = `${side.product.deskUrl}/desk/v1${path}`;
  return call(url, { method, key: side.product.deskToken, body });
}

async function publish(key: string, values: readonly Buffer[]): Promise<void> {
  const messages = values.map((value) => ({ key, value }));
  await side.producer.send({ topic: `${side.product.topicPrefix}carriers.updates`, messages });
}

/** How many of the order's key match, and of the other key. */
async function countOf(query: string): Promise<readonly number[]> {
  const lists = [orderId, anotherKey].map((key) =>
    desk(`/dead_letters?limit=250&key=${encodeURIComponent(key)}&${query}`),
  );
  return (await Promise.all(lists)).map((list) => dataOf(list).length);
}

const garbage = (count: number): Buffer[] =>
  Array.from({ length: count }, () => randomBytes(40).fill(1, 0, 1));

describe("dead letters", () => {
  it("are found by key, account and consumer, and discarded together", async () => {
    await publish(orderId, garbage(3));
    await publish(anotherKey, garbage(2));
    await eventually(async () => expect(await countOf("state=parked")).toEqual([3, 2]));
    const account = String((await desk(`/orders/${orderId}`)).body?.["account_id"]);
    expect(await countOf(`account_id=${account}`)).toEqual([3, 0]);
    expect(await countOf(`account_id=${crypto.randomUUID()}`)).toEqual([0, 0]);
    expect(await countOf("consumer=carrier-adapter&error_code=undecodable")).toEqual([3, 2]);
    expect(await countOf("consumer=order-lifecycle")).toEqual([0, 0]);

    const filter = { account_id: account, error_code: "undecodable", state: "parked" };
    const tried = await desk("/dead_letters/discard", { filter, dry_run: true });
    expect([tried.status, tried.body]).toEqual([200, { matched: 3, done: 0 }]);
    expect(await countOf("state=parked")).toEqual([3, 2]);
    const discarded = await desk("/dead_letters/discard", { filter });
    expect(discarded.body).toEqual({ matched: 3, done: 3 });
    const again = await desk("/dead_letters/discard", { filter, dry_run: false });
    expect(again.body).toEqual({ matched: 0, done: 0 });
    expect(await countOf("state=discarded")).toEqual([3, 0]);
    expect(await countOf("state=parked")).toEqual([0, 2]);
    const [entry] = dataOf(await desk("/audit?action=dead_letter.discarded"));
    expect(entry).toMatchObject({ before: { state: "parked" }, after: { state: "discarded" } });
    expect(JSON.stringify(entry?.["after"]).match(/[0-9a-f-]{36}/g)).toHaveLength(3);
  });

  it("are replayed together", async () => {
    const updates = Array.from({ length: MANY }, (_, n) =>
      side.codec.encode("carriers.updates", {
        update_id: `later-${orderId}-${n}`,
        provider: "manual",
        order_id: orderId,
        request_version: 2,
        occurred_at: Date.now(),
        raw_status: "NOTE",
        kind: "comment",
        comment: "too early",
      }),
    );
    await publish(orderId, updates);
    await eventually(async () =>
      expect(await countOf("state=parked&error_code=provider_mismatch")).toEqual([MANY, 0]),
    );
    const account_id = String((await desk(`/orders/${orderId}`)).body?.["account_id"]);
    const filter = { topic: "carriers.updates", error_code: "provider_mismatch", account_id };
    const before = { ...filter, created_before: new Date().toISOString() };
    const replayed = await desk("/dead_letters/replay", { filter: before });
    expect(replayed.body).toEqual({ matched: MANY, done: MANY });
    // The order is still at its first version: each comes back as a dead letter of its own.
    await eventually(async () => {
      expect(await countOf("state=replayed")).toEqual([MANY, 0]);
      expect(await countOf("state=parked&error_code=provider_mismatch")).toEqual([MANY, 0]);
    });
    const parked = await desk(`/dead_letters?limit=250&state=parked&key=${orderId}`);
    const ids = dataOf(parked).map(
      ({ value }) => (value as Record<string, unknown> | null)?.["update_id"],
    );
    expect(new Set(ids)).toEqual(new Set(updates.map((_, n) => `later-${orderId}-${n}`)));
  });

  it("end a page of their list at a mebibyte", async () => {
    const key = `large ones of ${orderId}`;
    const count = 20;
    for (let n = 0; n < count; n += 1) await publish(key, [randomBytes(60_000).fill(1, 0, 1)]);
    const path = `/dead_letters?limit=250&key=${encodeURIComponent(key)}`;
    const seen = await eventually(async () => {
      const first = await desk(path);
      const rest = await desk(`${path}&starting_after=${String(dataOf(first).at(-1)?.["id"])}`);
      expect([first.body?.["has_more"], rest.body?.["has_more"]]).toEqual([true, false]);
      expect(dataOf(first).length + dataOf(rest).length).toBe(count);
      return dataOf(first).length;
    });
    expect(seen).toBe(Math.ceil(1_048_576 / 60_600));
  });

  it("are not chosen by what there is not", async () => {
    for (const body of [{}, { filter: { state: "replayed" } }, { filter: { account_id: "x" } }]) {
      expect((await desk("/dead_letters/replay", body)).status).toBe(422);
    }
    expect((await desk("/dead_letters?account_id=x")).status).toBe(400);
  });
});
