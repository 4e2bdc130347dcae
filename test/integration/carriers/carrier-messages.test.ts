import { beforeAll, describe, expect, it } from "@jest/globals";
import { randomBytes, randomUUID } from "node:crypto";
import kafkajs, { type Message } from "kafkajs";
import { z } from "zod";
import { carrierRequestId } from "../../../services/domain/order/rules/order-messages.ts";
import { openCarrierSide, type CarrierSide } from "../../support/carriers/carrier-side.ts";
import { call, dataOf } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { literalSnappy } from "../../support/carriers/literal-snappy.ts";
import { orderIn } from "../../support/orders/order-factory.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";

let side: CarrierSide;
let orderId: string;

beforeAll(async () => {
  side = await openCarrierSide();
  orderId = await side.sentOrder();
});

/** A carrier's update with only a comment. */
function note(comment: string, fields: Record<string, unknown> = {}): Message {
  const value = side.codec.encode("carriers.updates", {
    update_id: randomBytes(8).toString("hex"),
    provider: "manual",
    order_id: orderId,
    request_version: 1,
    occurred_at: Date.now(),
    raw_status: "NOTE",
    kind: "comment",
    comment,
    ...fields,
  });
  return { key: orderId, value };
}

async function send(...messages: Message[]): Promise<void> {
  await side.producer.send({ topic: `${side.product.topicPrefix}carriers.updates`, messages });
}

/** The order's comments, once the given one is the last. */
async function commentsUpTo(last: string): Promise<unknown[]> {
  return eventually(async () => {
    const list = dataOf(
      await side.api(`/v2/porting_orders/${orderId}/comments?order=asc&limit=250`),
    );
    const bodies = list.map((one) => one["body"]);
    expect(bodies).toContain(last);
    return bodies;
  });
}

/** The latest first. */
async function deadLetters(): Promise<Record<string, unknown>[]> {
  const url = `${side.product.deskUrl}/desk/v1/dead_letters?topic=carriers.updates&key=${orderId}&limit=250`;
  return dataOf(await call(url, { key: side.product.deskToken }));
}

describe("a carrier's client", () => {
  it("may compress its messages, even with a codec that the consumers lack", async () => {
    kafkajs.CompressionCodecs[kafkajs.CompressionTypes.Snappy] = () => ({
      compress: ({ buffer }: { buffer: Buffer }) => Promise.resolve(literalSnappy(buffer)),
      decompress: () => Promise.reject(new Error("no consumer here")),
    });
    // The process runs other files too.
    endAfterTests(() =>
      Reflect.deleteProperty(kafkajs.CompressionCodecs, kafkajs.CompressionTypes.Snappy),
    );
    await side.producer.send({
      topic: `${side.product.topicPrefix}carriers.updates`,
      compression: kafkajs.CompressionTypes.Snappy,
      messages: [note("compressed")],
    });
    expect(await commentsUpTo("compressed")).toContain("compressed");
  });

  it("blocks nothing with a header that the database cannot store as text", async () => {
    const garbage = { key: orderId, value: Buffer.from("garbage") };
    await send(
      { ...garbage, headers: { "na\0me": "v", text: "a\0b", bytes: Buffer.from([0xff, 0, 0xfe]) } },
      note("after the header"),
    );
    await commentsUpTo("after the header");
    expect((await deadLetters())[0]).toMatchObject({ error_code: "undecodable", state: "parked" });
  });

  it("gets a message that is too large dead-lettered, and its replay is refused with the reason", async () => {
    await send({ key: orderId, value: Buffer.alloc(65_000, 1) }, note("after the large one"));
    await commentsUpTo("after the large one");
    const id = z.string().parse((await deadLetters())[0]?.["id"]);
    const url = `${side.product.deskUrl}/desk/v1/dead_letters/${id}/replay`;
    expect(
      await call(url, { method: "POST", key: side.product.deskToken, body: {} }),
    ).toMatchObject({
      status: 409,
      body: { code: "invalid_state", detail: "The message is too large to be sent again." },
    });
  });

  it("may give all its messages the same message-id, because update_id identifies them", async () => {
    const headers = { "message-id": randomUUID() };
    const once = note("first of one id", { update_id: `sent-twice-${randomUUID()}` });
    await send(
      { ...once, headers },
      { ...note("second of one id"), headers },
      { ...once, headers },
      note("last of one id"),
    );
    const bodies = await commentsUpTo("last of one id");
    const published = bodies.filter((body) => String(body).endsWith("of one id"));
    expect(published).toEqual(["first of one id", "second of one id", "last of one id"]);
  });

  it("may write the order's id in capitals, as may the customer", async () => {
    const capitals = orderId.toUpperCase();
    expect(capitals).not.toBe(orderId);
    const known = (await deadLetters()).length;
    const fields = { update_id: `either-case-${randomUUID()}`, occurred_at: Date.now() };
    // The repeat in the other form is the same update.
    const upper = note("either case", { ...fields, order_id: capitals });
    await send(upper, note("either case", fields), note("after either case"));
    const bodies = await commentsUpTo("after either case");
    expect(bodies.filter((body) => body === "either case")).toHaveLength(1);
    expect(await deadLetters()).toHaveLength(known);
    const read = await side.api(`/v2/porting_orders/${capitals}`);
    expect(read).toMatchObject({ status: 200, body: { id: orderId } });
    const batch = String(read.body?.["batch_id"]).toUpperCase();
    const listed = await side.api(`/v2/porting_orders?batch_id=${batch}`);
    expect(dataOf(listed).map((order) => order["id"])).toEqual([orderId]);
  });

  it("has its trace continued in the events, and gets requests with a trace", async () => {
    const trace = randomBytes(16).toString("hex");
    const headers = { traceparent: `00-${trace}-${randomBytes(8).toString("hex")}-01` };
    await send({ ...note("traced"), headers });
    await commentsUpTo("traced");
    const tracesOn = async (topic: string): Promise<string[]> => {
      const messages = await readTopic(side.kafka, side.product.topicPrefix + topic);
      return messages
        .map((one) => `${one.key?.toString()} ${one.headers["traceparent"] ?? ""}`)
        .filter((one) => one.startsWith(orderId));
    };
    const traced = new RegExp(`^${orderId} 00-${trace}-[0-9a-f]{16}-01$`);
    await eventually(async () => {
      expect(await tracesOn("porting.events")).toContainEqual(expect.stringMatching(traced));
    });
    const asked = await tracesOn("carriers.requests");
    const own = new RegExp(`^${orderId} 00-[0-9a-f]{32}-[0-9a-f]{16}-00$`);
    expect(asked).toEqual(asked.map(() => expect.stringMatching(own)));
    expect(asked.length).toBeGreaterThan(0);
  });

  it.each([
    ["raw_status", { raw_status: "s".repeat(1_001) }],
    ["comment", { comment: "c".repeat(4_001) }],
    ["rejection/raw_code", { rejection: { raw_code: "r".repeat(256), raw_text: "" } }],
    ["rejection/raw_text", { rejection: { raw_code: "r", raw_text: "t".repeat(4_001) } }],
  ])("must not send a %s that would enlarge every answer", async (field, fields) => {
    await send(note("too long", fields), note(`after ${field}`));
    await commentsUpTo(`after ${field}`);
    const [letter] = await deadLetters();
    expect(letter).toMatchObject({ error_code: "rule_broken" });
    expect(letter?.["error_detail"]).toMatch(new RegExp(`${field}: It has more than`));
  });
});

describe("a carrier's status update recorded at the desk", () => {
  it("is read by the provider's table, unless the operator states its kind", async () => {
    const id = await side.sentOrder(side.product.newNumber(), "test");
    const desk = `${side.product.deskUrl}/desk/v1`;
    const key = side.product.deskToken;
    const recordUpdate = (body: unknown) =>
      call(`${desk}/orders/${id}/carrier_updates`, { method: "POST", key, body });
    expect(await recordUpdate({ raw_status: "FOC" })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ pointer: "#/foc_at", code: "required" }] },
    });
    expect(await recordUpdate({ raw_status: "REJECTED" })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "#/rejection", code: "required" }] },
    });
    const recorded = await recordUpdate({
      raw_status: "FOC",
      kind: "comment",
      comment: "no date yet",
    });
    expect(recorded.status).toBe(202);
    const [entry] = dataOf(await call(`${desk}/audit?porting_order_id=${id}&limit=1`, { key }));
    expect(entry).toMatchObject({
      action: "order.carrier_update",
      after: { ...recorded.body, raw_status: "FOC", kind: "comment", comment: "no date yet" },
    });
    const foc_at = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const dated = await recordUpdate({ raw_status: "FOC", foc_at });
    expect(dated.status).toBe(202);
    await eventually(async () => {
      const order = await side.api(`/v2/porting_orders/${id}`);
      expect(order.body?.["status"]).toBe("foc_scheduled");
    });
  });
});

describe("a task to activate an order", () => {
  it("asks nothing where the date that it was made for was moved since", async () => {
    const id = await side.sentOrder();
    const foc_actual = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const dated = { order_id: id, raw_status: "FOC", kind: "date_confirmed", comment: null };
    await send({ ...note("", { ...dated, foc_at: foc_actual }), key: id });
    const shown = async () => (await side.api(`/v2/porting_orders/${id}`)).body;
    await eventually(async () => expect(await shown()).toMatchObject({ foc_actual }));
    const task = { kind: "activate", provider: "manual", order_id: id } as const;
    const current = carrierRequestId(orderIn("foc_scheduled", { id, foc_actual }), "activate");
    const topic = (name: string): string => side.product.topicPrefix + name;
    await side.producer.send({
      topic: topic("porting.carrier-requests"),
      messages: [randomUUID(), current].map((request_id) => ({
        key: id,
        value: side.codec.encode("porting.carrier-requests", {
          ...task,
          request_id,
          request_version: 1,
        }),
      })),
    });
    await eventually(async () => {
      const messages = await readTopic(side.kafka, topic("carriers.requests"));
      const asked: string[] = [];
      for (const { key, value } of messages) {
        if (key?.toString() !== id || value === null) continue;
        const { kind, request_id } = await side.codec.decode("carriers.requests", value);
        if (kind === "activate") asked.push(request_id);
      }
      expect(asked).toEqual([current]);
    });
  });
});
