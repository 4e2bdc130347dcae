import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { call, dataOf, type Answer } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import { readMessages } from "../../support/stack/topic-messages.ts";

/** Settings in hours or days accept decimals, not exponents. */
const hours = (seconds: number): string => (seconds / 3_600).toFixed(9);
const days = (seconds: number): string => (seconds / 86_400).toFixed(9);

let product: OwnProduct;
let line = 100;

beforeAll(async () => {
  product = await startOwnProduct({
    services: [
      "api",
      "desk",
      "requirement-review",
      "order-lifecycle",
      "carrier-adapter",
      "event-log",
      "outbox-relay",
    ],
    env: {
      DEADLINE_POLL: "100ms",
      // A draft must live long enough to be fulfilled; each PATCH renews it.
      DRAFT_EXPIRY_DAYS: days(8),
      REJECTION_EXPIRY_DAYS: days(2),
      FOC_GRACE_HOURS: hours(1),
      CARRIER_SILENCE_HOURS: hours(2),
    },
  });
});

function api(path: string, body?: unknown): Promise<Answer> {
  const method = body === undefined ? "GET" : "POST";
  return call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });
}

function desk(path: string, body: unknown): Promise<Answer> {
  const url = `${product.deskUrl}/desk/v1${path}`;
  return call(url, { method: "POST", key: product.deskToken, body });
}

async function newOrder(): Promise<string> {
  line += 1;
  const body = { phone_numbers: [`+12125554${line}`], losing_carrier: "manual" };
  return z.string().parse(dataOf(await api("/porting_orders", body))[0]?.["id"]);
}

async function newReview(): Promise<string> {
  const id = await newOrder();
  await fulfilOrder(product, id);
  await submitOrder(product, id);
  return id;
}

async function newSubmitted(): Promise<string> {
  const id = await newReview();
  await confirmAtDesk(product, id);
  await eventually(async () => {
    expect((await api(`/porting_orders/${id}`)).body?.["status"]).toBe("submitted");
  });
  return id;
}

async function systemComments(id: string): Promise<string[]> {
  const comments = dataOf(await api(`/porting_orders/${id}/comments?order=asc`));
  return comments
    .filter((comment) => comment["author_type"] === "system")
    .map((comment) => String(comment["body"]));
}

/** The requests to the carrier about an order, in sequence. */
async function requestsOf(id: string) {
  const all = await readMessages(product, "carriers.requests");
  return all.filter((request) => request.order_id === id);
}

describe("the clock", () => {
  it("deletes an abandoned draft, and reports the actor", async () => {
    const id = await newOrder();
    await eventually(async () => expect((await api(`/porting_orders/${id}`)).status).toBe(404));
    await eventually(async () => {
      const events = dataOf(await api(`/porting/events?porting_order_id=${id}`));
      expect(events[0]).toMatchObject({
        type: "porting_order.deleted",
        payload: { deleted_by: "expiry" },
      });
    });
  });

  it("closes an unanswered rejection, for ops", async () => {
    const id = await newReview();
    const decisions = [{ slug: "entity_name", decision: "reject", reason: "Not on the invoice." }];
    await eventually(async () => {
      expect((await desk(`/reviews/${id}/decision`, { decisions })).status).toBe(202);
    });
    await eventually(async () => {
      const { body } = await api(`/porting_orders/${id}`);
      expect(body).toMatchObject({ status: "cancelled", closed_by: "ops" });
    });
  });

  it("sends a silent carrier its request again under the same request_id, and alerts the desk", async () => {
    const id = await newSubmitted();
    await eventually(async () => expect((await systemComments(id)).length).toBeGreaterThan(0));
    const { body } = await api(`/porting_orders/${id}`);
    expect(body?.["next_action"]).toMatchObject({ actor: "desk", action: "handle_exception" });
    await eventually(async () => {
      const requests = await requestsOf(id);
      expect(requests.length).toBeGreaterThan(1);
      expect(new Set(requests.map((request) => request.request_id)).size).toBe(1);
      expect(new Set(requests.map((request) => request.kind))).toEqual(new Set(["submit"]));
    });
    const update = { kind: "acknowledged", raw_status: "ACK" };
    expect((await desk(`/orders/${id}/carrier_updates`, update)).status).toBe(202);
    await eventually(async () => {
      const order = await api(`/porting_orders/${id}`);
      expect(order.body?.["status"]).toBe("in_process");
    });
  });

  it("sends a carrier its request again when it does not start on its date", async () => {
    const id = await newSubmitted();
    const foc = new Date(Date.now() + 1_000).toISOString();
    const dated = { kind: "date_confirmed", raw_status: "FOC", foc_at: foc };
    expect((await desk(`/orders/${id}/carrier_updates`, dated)).status).toBe(202);
    await eventually(async () => {
      const requests = (await requestsOf(id)).filter(({ kind }) => kind === "activate");
      expect(requests.length).toBeGreaterThan(1);
      expect(new Set(requests.map((request) => request.request_id)).size).toBe(1);
    });
    expect((await systemComments(id)).some((text) => text.includes("port date"))).toBe(true);
    const active = { kind: "number_active", raw_status: "DONE" };
    expect((await desk(`/orders/${id}/carrier_updates`, active)).status).toBe(202);
    await eventually(async () => {
      const order = await api(`/porting_orders/${id}`);
      expect(order.body?.["status"]).toBe("completed");
    });
  });
});

describe("a request to a carrier", () => {
  it("has every value in clear text, and links to documents that need no key", async () => {
    const id = await newSubmitted();
    const [request] = await eventually(async () => {
      const requests = await requestsOf(id);
      expect(requests.length).toBeGreaterThan(0);
      return requests;
    });
    const values = new Map(request?.requirements?.map(({ slug, value }) => [slug, value]));
    expect(values.get("account_number")).toBe("8772-114-90210");
    expect(values.get("entity_name")).toBe("Acme Dental LLC");
    const documents = request?.documents ?? [];
    expect(documents.map(({ slug }) => slug).sort()).toEqual(["invoice", "loa"]);
    for (const { url, content_type: type } of documents) {
      const { pathname, search } = new URL(url);
      const got = await fetch(product.apiUrl + pathname + search);
      expect([got.status, got.headers.get("content-type")]).toEqual([200, type]);
      await got.arrayBuffer();
    }
  });
});
