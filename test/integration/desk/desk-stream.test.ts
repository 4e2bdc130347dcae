/** @tier all */
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { DESK_TOKEN, issueKey } from "../../../services/domain/account/rules/api-key.ts";
import { newId } from "../../../services/platform/ids.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { readEventStream, type EventStreamReader } from "../../support/http/event-stream-reader.ts";
import { eventually } from "../../support/eventually.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";

const SOON_MS = 2_000;
/** A heartbeat is due every 10 s. */
const NEXT_HEARTBEAT_MS = 15_000;

let product: OwnProduct;
const readers: EventStreamReader[] = [];

beforeAll(async () => {
  product = await startOwnProduct({
    services: ["api", "desk", "desk#2"],
    env: { SANDBOX: "false" },
  });
});

afterEach(() => {
  for (const reader of readers.splice(0)) reader.stop();
});

type Desk = "desk" | "desk#2";

const urlOf = (desk: Desk): string => `${product.supervisor.service(desk).url()}/desk/v1`;

async function listen(desk: Desk, key = product.deskToken): Promise<EventStreamReader> {
  const reader = await readEventStream(`${urlOf(desk)}/stream`, { key });
  readers.push(reader);
  return reader;
}

async function newOrder(phoneNumber: string): Promise<Record<string, unknown>> {
  const made = await call(`${product.apiUrl}/v2/porting_orders`, {
    method: "POST",
    key: product.apiKey,
    body: { phone_numbers: [phoneNumber], losing_carrier: "manual" },
  });
  const [order] = dataOf(made);
  if (order === undefined) throw new Error(JSON.stringify(made.body));
  return order;
}

/** An order under review, as its submission leaves it. */
async function newCase(phoneNumber: string): Promise<string> {
  const { id } = await newOrder(phoneNumber);
  await withConnection(product.databaseUrl, async (client) => {
    await client.query(
      `update orders.porting_orders set status = 'in_review', review_attempt = 1 where id = $1`,
      [id],
    );
    await client.query(
      `insert into reviews.cases (order_id, attempt, account_id, state, submitted_at, due_at)
        select id, 1, account_id, 'open', now(), now() + interval '8 hours'
        from orders.porting_orders where id = $1`,
      [id],
    );
  });
  return String(id);
}

/** A further token of the first operator. */
async function newToken(): Promise<{ readonly id: string; readonly key: string }> {
  const { key, prefix, hash } = issueKey(DESK_TOKEN);
  const id = newId(new Date());
  const insert = `insert into accounts.operator_tokens (id, operator_id, prefix, token_hash, created_at)
    select $1, id, $2, $3, now() from accounts.operators limit 1`;
  await withConnection(product.databaseUrl, (client) => client.query(insert, [id, prefix, hash]));
  return { id, key };
}

/** The cookie of a new session. */
async function signIn(token: string): Promise<string> {
  const url = `${urlOf("desk")}/session`;
  const { headers } = await call(url, { method: "POST", body: { token } });
  return headers.get("set-cookie")?.split(";")[0] ?? "";
}

const dataOfType = (reader: EventStreamReader, type: string): unknown[] =>
  reader.events.filter((event) => event.type === type).map(({ data }) => data);

const claim = (desk: Desk, orderId: string) =>
  call(`${urlOf(desk)}/reviews/${orderId}/claim`, { method: "POST", key: product.deskToken });

describe("the desk's stream", () => {
  it("hints within two seconds at what another process changed", async () => {
    const orderId = await newCase(product.newNumber());
    const reader = await listen("desk#2");
    await eventually(() =>
      expect(dataOfType(reader, "review")).toContainEqual(
        expect.objectContaining({ order_id: orderId, state: "open", claimed_by: null }),
      ),
    );
    const before = dataOfType(reader, "counts").length;
    expect((await claim("desk", orderId)).status).toBe(200);
    await eventually(() => {
      expect(dataOfType(reader, "review").at(-1)).toEqual({
        order_id: orderId,
        attempt: 1,
        state: "open",
        claimed_by: { id: expect.any(String), name: expect.any(String) },
        due_at: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      expect(dataOfType(reader, "counts").length).toBeGreaterThan(before);
    }, SOON_MS);
  });

  it("hints at orders, whoever changed them, and at a claim that lapsed", async () => {
    const reader = await listen("desk");
    const order = await newOrder(product.newNumber());
    const { id, status } = order;
    await eventually(() => {
      const hints = dataOfType(reader, "order");
      expect(hints).toContainEqual({ id, account_id: expect.any(String), status });
    }, SOON_MS);
    const orderId = await newCase(product.newNumber());
    await claim("desk#2", orderId);
    const lapse = `update reviews.cases set claimed_until = now() + interval '2 seconds' where order_id = $1`;
    await withConnection(product.databaseUrl, (client) => client.query(lapse, [orderId]));
    const claims = () =>
      dataOfType(reader, "review")
        .map((data) => data as { readonly order_id: string; readonly claimed_by: unknown })
        .filter((hint) => hint.order_id === orderId)
        .map(({ claimed_by }) => claimed_by !== null);
    await eventually(() => {
      expect(claims().at(-1)).toBe(false);
      expect(claims()).toContain(true);
    });
  });

  it("needs a token, and ends with its sessions at the next heartbeat after that is revoked", async () => {
    expect((await listen("desk", "nps_desk_none")).status).toBe(401);
    const revoked = await newToken();
    const headers = { Cookie: await signIn(revoked.key) };
    const ending = await Promise.all([
      listen("desk", revoked.key),
      readEventStream(`${urlOf("desk")}/stream`, { headers }),
    ]);
    readers.push(...ending);
    const stays = await listen("desk#2");
    expect([...ending, stays].map(({ status }) => status)).toEqual([200, 200, 200]);
    await withConnection(product.databaseUrl, (client) =>
      client.query("update accounts.operator_tokens set revoked_at = now() where id = $1", [
        revoked.id,
      ]),
    );
    const since = performance.now();
    await Promise.all(ending.map(({ ended }) => ended));
    expect(performance.now() - since).toBeLessThan(NEXT_HEARTBEAT_MS);
    await eventually(() => expect(stays.heartbeats()).toBeGreaterThan(0));
    expect((await listen("desk", revoked.key)).status).toBe(401);
  });

  it("is opened again after it was cut", async () => {
    const orderId = await newCase(product.newNumber());
    (await listen("desk")).stop();
    const reader = await listen("desk");
    await claim("desk#2", orderId);
    await eventually(() =>
      expect(dataOfType(reader, "review")).toContainEqual(
        expect.objectContaining({
          order_id: orderId,
          claimed_by: expect.objectContaining({ name: expect.any(String) }),
        }),
      ),
    );
  });
});

// (docs/contract/desk-api.md, Desk API: operators' side, served by desk)
describe("a desk with SANDBOX=false", () => {
  it("has none of the routes by which operators play carriers and calls", async () => {
    const paths = [
      "/port_outs",
      "/port_outs/a-port-out/complete",
      "/port_outs/a-port-out/cancel",
      "/calls",
      `/orders/${newId(new Date())}/comment`,
    ];
    for (const path of paths) {
      const url = `${product.deskUrl}/desk/v1/sandbox${path}`;
      const answer = await call(url, { method: "POST", key: product.deskToken, body: {} });
      expect([path, answer.status, answer.body?.["code"]]).toEqual([path, 404, "not_found"]);
    }
    const { paths: described } = (await call(`${product.deskUrl}/openapi.json`)).body ?? {};
    expect(JSON.stringify(described)).not.toContain("/sandbox/");
  });
});
