/** @tier all */
import { beforeAll, describe, expect, it } from "@jest/globals";
import { randomBytes } from "node:crypto";
import { z } from "zod";
import { openCarrierSide, type CarrierSide } from "../../support/carriers/carrier-side.ts";
import { call, dataOf, textOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import type { OwnProduct } from "../../support/product/product.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";

const COPIES = 125;

/** It fills the dead letters, starts a second desk and kills the adapter. */
let side: CarrierSide<OwnProduct>;
let orderId: string;

beforeAll(async () => {
  side = await openCarrierSide({ also: ["desk#2"] });
  orderId = await side.sentOrder();
});

function desk(path: string, body?: unknown, deskUrl = side.product.deskUrl) {
  const method = body === undefined ? "GET" : "POST";
  return call(`${deskUrl}/desk/v1${path}`, { method, key: side.product.deskToken, body });
}

async function becomes(id: string, status: string, deadlineMs?: number): Promise<void> {
  await eventually(async () => {
    expect((await side.api(`/v2/porting_orders/${id}`)).body?.["status"]).toBe(status);
  }, deadlineMs);
}

function update(fields: Record<string, unknown> = {}): Buffer {
  return side.codec.encode("carriers.updates", {
    update_id: randomBytes(8).toString("hex"),
    provider: "manual",
    order_id: orderId,
    request_version: 1,
    occurred_at: Date.now(),
    raw_status: "REPORTED",
    ...fields,
  });
}

async function publish(values: readonly Buffer[]): Promise<void> {
  const messages = values.map((value, n) => ({ key: `${n % 50}`, value }));
  await side.producer.send({ topic: `${side.product.topicPrefix}carriers.updates`, messages });
}

async function findDeadLetters(query: string): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (let cursor = ""; ; cursor = `&starting_after=${String(found.at(-1)?.["id"])}`) {
    const list = await desk(`/dead_letters?limit=250&${query}${cursor}`);
    found.push(...dataOf(list));
    if (list.body?.["has_more"] !== true) return found;
  }
}

/** Kinds of invalid updates, each with the reason of its dead letter. */
const BAD: readonly (readonly [code: string, make: () => Buffer])[] = [
  ["undecodable", () => randomBytes(40).fill(1, 0, 1)],
  ["undecodable", () => update().subarray(0, 20)],
  ["rule_broken", () => update({ kind: "date_confirmed" })],
  ["rule_broken", () => update({ kind: "rejected" })],
  ["rule_broken", () => update({ phone_numbers: ["+12125550000"] })],
  ["rule_broken", () => update({ update_id: "" })],
  ["unknown_order", () => update({ order_id: crypto.randomUUID() })],
  ["provider_mismatch", () => update({ provider: "sandbox" })],
];

describe("invalid messages from carriers", () => {
  it("are dead-lettered with their reasons, 1,000 at once, and block nothing else", async () => {
    const bad = Array.from({ length: COPIES }, () => BAD.map(([, make]) => make())).flat();
    await publish([...bad, update({ kind: "acknowledged", raw_status: "good among bad" })]);
    // Each dead letter is a transaction of its own, of some 25 ms on a busy machine.
    await becomes(orderId, "in_process", 90_000);
    const letters = await eventually(async () => {
      const found = await findDeadLetters("topic=carriers.updates&state=parked");
      expect(found).toHaveLength(bad.length);
      return found;
    });
    const codes = letters.map((one) => String(one["error_code"]));
    const wanted = Array.from({ length: COPIES }, () => BAD.map(([code]) => code)).flat();
    expect(codes.sort()).toEqual(wanted.sort());
    const other = await side.sentOrder();
    await publish([update({ order_id: other, kind: "number_active" })]);
    await becomes(other, "completed");
  }, 180_000);
});

describe("an invalid update without a key", () => {
  it("is noted in the timeline of the order that it names", async () => {
    const order_id = await side.sentOrder();
    const topic = `${side.product.topicPrefix}carriers.updates`;
    const value = update({ order_id, kind: "rejected" });
    await side.producer.send({ topic, messages: [{ key: null, value }] });
    await eventually(async () => {
      const entries = dataOf(await desk(`/orders/${order_id}/timeline`));
      const dead_letter = expect.objectContaining({ code: "rule_broken" });
      expect(entries).toContainEqual(
        expect.objectContaining({ kind: "ignored", data: { dead_letter } }),
      );
    });
  });
});

describe("the dead letter of an update whose key is not the order's id in lower case", () => {
  const CASES: readonly (readonly [what: string, make: (id: string) => Sent])[] = [
    ["the id in capitals", (id) => ({ key: id.toUpperCase(), value: Buffer.from("garbage") })],
    ["another key", (order_id) => ({ key: "7", value: update({ order_id, kind: "rejected" }) })],
    [
      "another order",
      (order_id) => ({ key: orderId, value: update({ order_id, kind: "rejected" }) }),
    ],
  ];
  interface Sent {
    readonly key: string;
    readonly value: Buffer;
  }

  it.each(CASES)("is found by its order, with %s as key", async (_what, make) => {
    const id = await side.sentOrder();
    const topic = `${side.product.topicPrefix}carriers.updates`;
    await side.producer.send({ topic, messages: [make(id)] });
    const order = await eventually(async () => {
      const { body } = await desk(`/orders/${id}`);
      expect(body).toMatchObject({ attention: { kind: "dead_letter" } });
      return z.object({ account: z.object({ id: z.string() }) }).parse(body);
    });
    const listed = dataOf(await desk("/orders?attention=true"));
    expect(listed.map((one) => one["id"])).toContain(id);
    const traced = dataOf(await desk(`/orders/${id}/messages?limit=250`));
    expect(traced.filter((one) => one["step"] === "dead_letter")).toHaveLength(1);
    const letters = await findDeadLetters(`account_id=${order.account.id}&state=parked`);
    const { key } = make(id);
    expect(letters.map((one) => one["key"])).toContain(key);
  });
});

describe("a status update of the largest size", () => {
  it("is dead-lettered before the order's own messages become too large to send", async () => {
    const order_id = await side.sentOrder();
    const long = update({ order_id, raw_status: "x".repeat(63_000) });
    const behind = { order_id, kind: "comment", comment: "behind it" };
    const messages = [long, update(behind)].map((value) => ({ key: order_id, value }));
    await side.producer.send({ topic: `${side.product.topicPrefix}carriers.updates`, messages });
    await eventually(async () => {
      const comments = dataOf(await side.api(`/v2/porting_orders/${order_id}/comments`));
      expect(comments.map((one) => one["body"])).toContain("behind it");
    });
    const cancelled = await side.api(`/v2/porting_orders/${order_id}/cancel`, {});
    expect([cancelled.status, cancelled.body?.["code"]]).toEqual([200, undefined]);
  });
});

describe("a dead letter", () => {
  /** A status update for a request version that is sent only later. */
  async function letterOf(fields: Record<string, unknown>): Promise<string> {
    const marker = randomBytes(6).toString("hex");
    await publish([update({ ...fields, raw_status: marker })]);
    return eventually(async () => {
      const [found] = (await findDeadLetters("error_code=provider_mismatch&state=parked")).filter(
        (one) => JSON.stringify(one["value"]).includes(marker),
      );
      if (found === undefined) throw new Error("not dead-lettered yet");
      return z.string().parse(found["id"]);
    });
  }

  it("takes effect once when two desks replay it at once, and the audit log names the operator", async () => {
    const second = side.product.supervisor.service("desk#2");
    const id = await letterOf({ request_version: 2, kind: "comment", comment: "from the dead" });
    const shown = await desk(`/dead_letters/${id}`);
    expect(shown.body).toMatchObject({
      topic: "carriers.updates",
      state: "parked",
      offset: expect.any(Number),
      value: { comment: "from the dead", request_version: 2 },
    });
    const rejection = { raw_code: "port_freeze", raw_text: "" };
    await publish([update({ kind: "rejected", rejection })]);
    await becomes(orderId, "rejection");
    await submitOrder(side.product, orderId);
    await confirmAtDesk(side.product, orderId);
    await becomes(orderId, "submitted");
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        desk(`/dead_letters/${id}/replay`, {}, n % 2 === 0 ? side.product.deskUrl : second.url()),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body?.["code"]])).toEqual(
      Array.from({ length: 7 }, () => [409, "invalid_state"]),
    );
    const comments = await eventually(async () => {
      const found = dataOf(await side.api(`/v2/porting_orders/${orderId}/comments`));
      expect(found.map((one) => one["body"])).toContain("from the dead");
      return found;
    });
    expect(comments.filter((one) => one["body"] === "from the dead")).toHaveLength(1);
    const again = await desk(`/dead_letters/${id}/discard`, {}, second.url());
    expect([again.status, again.body?.["code"]]).toEqual([409, "invalid_state"]);
    const sent = await readTopic(side.kafka, `${side.product.topicPrefix}carriers.updates`);
    const copies = sent.filter(({ value }) => value?.includes("from the dead") === true);
    expect(new Set(copies.map(({ messageId }) => messageId)).size).toBe(1);
    expect(copies.map(({ value }) => value?.toString("hex"))).toEqual(
      [copies[0], copies[0]].map((copy) => copy?.value?.toString("hex")),
    );
    const audit = dataOf(await desk("/audit"));
    expect(audit.filter((one) => one["action"] === "dead_letter.replayed")).toHaveLength(1);
  });

  it("is discarded permanently", async () => {
    const id = await letterOf({ request_version: 9 });
    const discarded = await desk(`/dead_letters/${id}/discard`, {});
    expect([discarded.status, textOf(discarded, "state")]).toEqual([200, "discarded"]);
    expect((await desk(`/dead_letters/${id}/replay`, {})).status).toBe(409);
    expect((await desk(`/dead_letters/${crypto.randomUUID()}`)).status).toBe(404);
  });
});

describe("the desk's health", () => {
  it("reports lag, outbox, dead letters and each provider's last status update", async () => {
    // Lag and tiers are null where the broker takes longer than 5 s.
    const { body } = await eventually(async () => {
      const answer = await desk("/health");
      expect(answer).toMatchObject({
        status: 200,
        body: {
          oldest_undelivered_webhook: { delivery: null, age_seconds: 0 },
          retry_tiers: [],
        },
      });
      return answer;
    });
    const { providers } = z
      .object({ providers: z.array(z.looseObject({ provider: z.string() })) })
      .parse(body);
    const manual = providers.find(({ provider }) => provider === "manual");
    expect(manual?.["last_word_at"]).toEqual(expect.any(String));
    const groups = z.array(z.object({ group: z.string(), lag: z.number() }));
    const names = groups.parse(body?.["consumer_groups"]).map(({ group }) => group);
    expect(names).toEqual(expect.arrayContaining(["carrier-adapter", "order-lifecycle"]));
    expect(body?.["dead_letters"]).toBeGreaterThanOrEqual(BAD.length * COPIES);
  });
});

// It was dead-lettered as provider_mismatch when it overtook the request on the topics.
describe("a status update that an operator records before the request has arrived at the carrier", () => {
  it("takes effect", async () => {
    const { product } = side;
    const body = { phone_numbers: [product.newNumber()], losing_carrier: "manual" };
    const made = await side.api("/v2/porting_orders", body);
    const id = z.string().parse(dataOf(made)[0]?.["id"]);
    await fulfilOrder(product, id);
    await submitOrder(product, id);
    // The request stays on its topic until the adapter is back, behind the update.
    product.supervisor.service("carrier-adapter").program.kill();
    await confirmAtDesk(product, id);
    const acknowledged = { kind: "acknowledged", raw_status: "ACK" };
    await eventually(async () => {
      expect((await desk(`/orders/${id}/carrier_updates`, acknowledged)).status).toBe(202);
    });
    await becomes(id, "in_process");
  });
});
