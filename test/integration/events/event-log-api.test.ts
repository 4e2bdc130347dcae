import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { eventRoutes } from "../../../services/api/events/routes.ts";
import type { AccountPrincipal } from "../../../services/api/access/customer-routes.ts";
import { storeEvents } from "../../../services/domain/event/store/store-events.ts";
import { toStorable } from "../../../services/domain/event/rules/storable-event.ts";
import { primaryReads } from "../../../services/platform/db/lagging-reads.ts";
import { createHttpApp } from "../../../services/platform/http/routing/http-app.ts";
import {
  startHttpServer,
  type HttpServer,
} from "../../../services/platform/http/routing/http-server.ts";
import { newId } from "../../../services/platform/ids.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import { createMetrics } from "../../../services/platform/metrics.ts";
import { buildEvent } from "../../support/orders/event-factory.ts";
import { call, dataOf, type Answer } from "../../support/http/call.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";
import { openPoolAt } from "../../support/stack/test-pool.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";

const log = createLogger("test", "silent");
const PATH = "/v2/porting/events";
const at = new Date();
const accountId = newId(at);
const otherId = newId(at);

let database: TestDatabase;
let server: HttpServer;

/** Events of the account: created, signed, created, signed, created; then one of another account. */
const events = Array.from({ length: 6 }, (_, n) =>
  toStorable(
    buildEvent(n % 2 === 0 ? "porting_order.created" : "loa.signed", {
      id: newId(at),
      account_id: n < 5 ? accountId : otherId,
      created_at: at,
    }),
  ),
);
const ids = events.map(({ id }) => id);
const own = ids.slice(0, 5);

beforeAll(async () => {
  database = await createTestDatabase();
  const pool = openPoolAt(database.url, { size: 3 });
  const position = { topic: "t", partition: 0, nextOffset: 6 };
  await storeEvents(pool, events, { consumer: "event-log", positions: [position] });
  const app = createHttpApp<AccountPrincipal>({
    routes: eventRoutes({ reads: primaryReads(pool) }),
    protectedPrefix: "/v2",
    pool,
    authenticate: (key) =>
      Promise.resolve(key === null ? null : { accountId: key, keyId: key, suspended: false }),
    log,
    readiness: () => Promise.resolve([]),
    metrics: createMetrics("test"),
  });
  server = await startHttpServer(app, { host: "127.0.0.1", port: 0, log });
  endAfterTests(() => server.stop());
});

function get(path: string): Promise<Answer> {
  return call(`http://127.0.0.1:${server.port}${path}`, { key: accountId });
}

async function idsAt(path: string): Promise<unknown[]> {
  return dataOf(await get(path)).map((event) => event["id"]);
}

function nextOf(answer: Answer): string | null {
  return /^<(.*)>; rel="next"$/.exec(answer.headers.get("link") ?? "")?.[1] ?? null;
}

/** All ids from a path onwards, following `Link`. */
async function walk(path: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let next: string | null = path; next !== null;) {
    const answer = await get(next);
    seen.push(...dataOf(answer).map((event) => event["id"]));
    next = nextOf(answer);
    expect(answer.body?.["has_more"]).toBe(next !== null);
  }
  return seen;
}

describe("GET /v2/porting/events", () => {
  it("lists an account's own events, newest first, with exactly the contract's fields", async () => {
    const answer = await get(PATH);
    expect(dataOf(answer).map((event) => event["id"])).toEqual(own.toReversed());
    const [newest] = dataOf(answer);
    expect(Object.keys(newest ?? {})).toEqual(["id", "type", "order_id", "payload", "created_at"]);
    expect(newest?.["created_at"]).toBe(at.toISOString());
    expect(z.record(z.string(), z.unknown()).parse(newest?.["payload"])).toHaveProperty(
      "porting_order.phone_numbers",
    );
  });

  it("is paged forward and backward by Link", async () => {
    expect(await walk(`${PATH}?limit=2`)).toEqual(own.toReversed());
    expect(await walk(`${PATH}?limit=2&order=asc`)).toEqual(own);
    expect(await idsAt(`${PATH}?limit=2&order=asc&starting_after=${own[1] ?? ""}`)).toEqual(
      own.slice(2, 4),
    );
    expect(await idsAt(`${PATH}?limit=2&order=asc&ending_before=${own[3] ?? ""}`)).toEqual(
      own.slice(1, 3),
    );
    expect(await idsAt(`${PATH}?limit=2&ending_before=${own[1] ?? ""}`)).toEqual([own[3], own[2]]);
  });

  it("accepts repeated types, an order and times", async () => {
    const signed = [own[1], own[3]];
    expect(await idsAt(`${PATH}?order=asc&type=loa.signed&type=call.missed`)).toEqual(signed);
    const order = events[0]?.orderId ?? "";
    expect(
      await walk(`${PATH}?order=asc&limit=1&type=loa.signed&porting_order_id=${order}`),
    ).toEqual(signed);
    expect(await idsAt(`${PATH}?created_before=${at.toISOString()}`)).toEqual([]);
    expect(await idsAt(`${PATH}?order=asc&created_after=${at.toISOString()}`)).toEqual(own);
    expect(await idsAt(`${PATH}?porting_order_id=${newId(at)}`)).toEqual([]);
  });

  it("finds the events of every order with a number, in the feed's order", async () => {
    const [order, number] = [events[0]?.orderId ?? "", "+12125550123"];
    const path = `${PATH}?phone_number=${encodeURIComponent(number)}`;
    expect(await idsAt(path)).toEqual([]);
    await withConnection(database.url, async (client) => {
      // The rows of the orders themselves are not what is asked for.
      await client.query("set session_replication_role = replica");
      const text = `insert into orders.order_numbers (order_id, position, account_id, phone_number, live)
        select o.id, 0, o.account_id, $3, o.account_id = $2
        from unnest($1::uuid[], array[$2, $4]::uuid[]) o (id, account_id)`;
      await client.query(text, [[order, newId(at)], accountId, number, otherId]);
    });
    expect(await walk(`${path}&limit=2`)).toEqual(own.toReversed());
    expect(await walk(`${path}&limit=2&order=asc&type=loa.signed&type=call.missed`)).toEqual([
      own[1],
      own[3],
    ]);
    expect(await idsAt(`${path}&created_before=${at.toISOString()}`)).toEqual([]);
    expect(await idsAt(`${path}&porting_order_id=${newId(at)}`)).toEqual([]);
    expect(await idsAt(`${PATH}?phone_number=%2B12125550124`)).toEqual([]);
  });

  it.each([
    ["a number that is not E.164", "phone_number=212"],
    ["an unknown type", "type=porting_order.made"],
    ["another account's cursor", `starting_after=${ids[5] ?? ""}`],
    ["an unknown cursor", `ending_before=${newId(at)}`],
    [
      "a cursor with the latest possible time",
      "starting_after=ffffffff-ffff-ffff-ffff-ffffffffffff",
    ],
    ["an unknown parameter", "types=loa.signed"],
    ["an order that is not an id", "porting_order_id=1"],
    ["a limit beyond 250", "limit=251"],
  ])("answers 400 to %s", async (_, query) => {
    const answer = await get(`${PATH}?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body?.["code"]).toBe("invalid_parameter");
  });
});

describe("GET /v2/porting/events/{event_id}", () => {
  it("shows one event by an id in upper or lower case", async () => {
    const id = own[0] ?? "";
    const answer = await get(`${PATH}/${id.toUpperCase()}`);
    expect(answer.status).toBe(200);
    expect(answer.body?.["id"]).toBe(id);
  });

  it.each([
    ["another account's", ids[5] ?? ""],
    ["unknown", newId(at)],
    ["not an id", "1"],
  ])("is 404 where it is %s", async (_, id) => {
    expect((await get(`${PATH}/${id}`)).status).toBe(404);
  });
});
