import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { openCarrierSide, type CarrierSide } from "../../support/carriers/carrier-side.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";

const REFUSAL = { raw_code: "number_not_portable", raw_text: "It stays where it is." };
const REASON = "Number not portable: It stays where it is.";

let side: CarrierSide;

beforeAll(async () => {
  side = await openCarrierSide();
});

const sent = (): Promise<string> => side.sentOrder();

function desk(path: string, body?: unknown) {
  const method = body === undefined ? "GET" : "POST";
  const url = `${side.product.deskUrl}/desk/v1${path}`;
  return call(url, { method, key: side.product.deskToken, body });
}

const order = (id: string, path = "") => side.api(`/v2/porting_orders/${id}${path}`);

async function record(id: string, update: Record<string, unknown>): Promise<void> {
  const { status, body } = await desk(`/orders/${id}/carrier_updates`, update);
  if (status !== 202) throw new Error(JSON.stringify(body));
}

async function becomes(id: string, status: string) {
  return eventually(async () => {
    const { body } = await order(id);
    expect(body?.["status"]).toBe(status);
    return body;
  });
}

const bodiesOf = async (id: string) =>
  dataOf(await order(id, "/comments")).map((one) => one["body"]);

/** The order's events, once they include one of the type. */
async function eventsWith(id: string, type: string) {
  return eventually(async () => {
    const events = dataOf(await side.api(`/v2/porting/events?porting_order_id=${id}&limit=250`));
    expect(events.map((event) => event["type"])).toContain(type);
    return events;
  });
}

/** Publishes what no consumer can read, under the order's key. */
async function publishGarbage(id: string): Promise<void> {
  const topic = `${side.product.topicPrefix}carriers.updates`;
  await side.producer.send({ topic, messages: [{ key: id, value: Buffer.from("garbage") }] });
}

describe("the reason of an order that ended", () => {
  it("is the carrier's, in closed_reason, in its comment and in porting_order.new_comment", async () => {
    const id = await sent();
    await record(id, { kind: "refused", raw_status: "NO", rejection: REFUSAL });
    const closed_reason = {
      code: "number_not_portable",
      detail: "It stays where it is.",
      raised_by: "carrier",
    };
    expect(await becomes(id, "cancelled")).toMatchObject({ closed_by: "provider", closed_reason });
    const [listed] = dataOf(await side.api("/v2/porting_orders?status=cancelled&limit=1"));
    expect(listed).toMatchObject({ id, closed_reason });
    const [comment] = dataOf(await order(id, "/comments"));
    expect(comment).toMatchObject({ author_type: "carrier", body: REASON });
    const events = await eventsWith(id, "porting_order.new_comment");
    const noted = events.filter(({ type }) => type === "porting_order.new_comment");
    expect(noted).toMatchObject([{ payload: { porting_order_id: id, comment } }]);
  });
});

describe("a rejection whose code names no requirement", () => {
  it("leaves the carrier's comment, and the next action is to submit again", async () => {
    const id = await sent();
    const rejection = { raw_code: "port_freeze", raw_text: "Frozen by the subscriber." };
    await record(id, { kind: "rejected", raw_status: "REJ", rejection });
    expect(await becomes(id, "rejection")).toMatchObject({
      exceptions: [{ code: "port_freeze", detail: "Frozen by the subscriber.", slug: null }],
      next_action: { actor: "customer", action: "submit_again" },
    });
    expect(await bodiesOf(id)).toEqual(["Line is locked: Frozen by the subscriber."]);
    expect((await order(id, "/readiness")).body).toEqual({
      ...{ ready: true, blocking: [], detail: null },
    });
    expect((await side.api(`/v2/porting_orders/${id}/submit`, {})).body).toMatchObject({
      status: "in_review",
      exceptions: [],
    });
  });
});

describe("customers", () => {
  it("see no dead letter and no unknown status, which the desk sees", async () => {
    const id = await sent();
    await publishGarbage(id);
    await record(id, { raw_status: "MYSTERY" });
    await record(id, { kind: "comment", raw_status: "NOTE", comment: "a note" });
    await eventually(async () => expect(await bodiesOf(id)).toEqual(["a note"]));
    const seen = JSON.stringify((await order(id, "/timeline?limit=250")).body);
    expect(seen).toContain("a note");
    expect(seen).not.toMatch(/MYSTERY|dead_letter/);
    const timeline = JSON.stringify((await desk(`/orders/${id}/timeline?limit=250`)).body);
    expect(timeline).toContain("The carrier's status is unknown and changed nothing: MYSTERY");
    await eventually(async () => {
      const all = JSON.stringify((await desk(`/orders/${id}/timeline?limit=250`)).body);
      expect(all).toContain("dead_letter");
    });
    const { body: review } = await desk(`/reviews/${id}`);
    expect(JSON.stringify(review?.["comments"])).toContain("MYSTERY");
    expect((await order(id)).body).toMatchObject({ status: "submitted", provider_status: "NOTE" });
  });

  it("cannot page from an entry that they do not see", async () => {
    const id = await sent();
    await record(id, { raw_status: "MYSTERY" });
    const hidden = await eventually(async () => {
      const entries = dataOf(await desk(`/orders/${id}/timeline?limit=250`));
      const found = entries.find((one) => JSON.stringify(one).includes("MYSTERY"));
      return z.string().parse(found?.["id"]);
    });
    const answer = await order(id, `/timeline?starting_after=${hidden}`);
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_parameter" } });
  });

  it("see that the desk acted, and never which operator", async () => {
    const id = await sent();
    await desk(`/orders/${id}/comments`, { body: "We asked the carrier." });
    await desk(`/orders/${id}/close`, { reason: "asked by phone" });
    const entries = dataOf(await order(id, "/timeline?limit=250"));
    const byDesk = entries.filter((one) => JSON.stringify(one["actor"]).includes("desk"));
    expect(byDesk.length).toBeGreaterThan(3);
    for (const { actor } of byDesk) expect(actor).toEqual({ type: "desk", id: null, name: null });
    const events = await eventsWith(id, "porting_order.new_comment");
    const comments = await order(id, "/comments");
    const own = JSON.stringify([events, comments.body, (await order(id)).body, entries]);
    const [operator] = dataOf(await desk(`/audit?porting_order_id=${id}&limit=1`));
    const person = z
      .object({ id: z.uuid(), name: z.string().min(1) })
      .parse(operator?.["operator"]);
    for (const internal of [person.id, person.name]) expect(own).not.toContain(internal);
  });
});

describe("an impossible time", () => {
  it("is refused at the desk with 422, and a dead letter on the topic; no event carries it", async () => {
    const id = await sent();
    for (const [field, update] of [
      ["occurred_at", { kind: "number_active", occurred_at: "1970-01-21T18:25:12Z" }],
      ["occurred_at", { occurred_at: new Date(Date.now() + 600_000).toISOString() }],
      ["foc_at", { kind: "date_confirmed", foc_at: "1970-01-21T18:25:12Z" }],
      ["foc_at", { kind: "date_confirmed", foc_at: "2126-01-21T18:25:12Z" }],
    ] as const) {
      expect(
        await desk(`/orders/${id}/carrier_updates`, { raw_status: "SOON", ...update }),
      ).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: `#/${field}`, code: "invalid_value" }] },
      });
    }
    const seconds = Math.round(Date.now() / 1_000);
    const update = {
      update_id: crypto.randomUUID(),
      provider: "manual",
      order_id: id,
      request_version: 1,
      occurred_at: seconds,
      raw_status: "LIVE",
      kind: "number_active",
    } as const;
    const value = side.codec.encode("carriers.updates", update);
    const topic = `${side.product.topicPrefix}carriers.updates`;
    await side.producer.send({ topic, messages: [{ key: id, value }] });
    await eventually(async () => {
      const letters = dataOf(await desk(`/dead_letters?topic=carriers.updates&key=${id}`));
      const [letter] = letters;
      expect(letter).toMatchObject({ error_code: "rule_broken" });
      expect(letter?.["error_detail"]).toMatch(/^#\/occurred_at: It is 1970-01-2/);
    });
    expect((await order(id)).body).toMatchObject({ status: "submitted", provider_status: "" });
    await side.api(`/v2/porting_orders/${id}/cancel`, {});
    const events = await eventsWith(id, "porting_order.status_changed");
    expect(JSON.stringify(events)).not.toContain("1970-");
  });
});
