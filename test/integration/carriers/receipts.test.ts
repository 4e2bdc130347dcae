import { beforeAll, describe, expect, it } from "@jest/globals";
import { randomBytes, randomUUID } from "node:crypto";
import type { Message } from "kafkajs";
import type { PortOutUpdate } from "../../../services/messages/generated/port-out-update.ts";
import type { CarrierUpdate } from "../../../services/messages/generated/carrier-update.ts";
import type { CarrierReceipt } from "../../../services/messages/generated/carrier-receipt.ts";
import { openCarrierSide, type CarrierSide } from "../../support/carriers/carrier-side.ts";
import { buildCallUpdate } from "../../support/carriers/call-update-factory.ts";
import { call } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";

interface Seen {
  readonly receipt: CarrierReceipt;
  readonly key: string | undefined;
  readonly provider: string | undefined;
}

let side: CarrierSide;
let orderId: string;
/** Of a port-out. */
let ported: string;

beforeAll(async () => {
  side = await openCarrierSide();
  ported = side.product.newNumber();
  orderId = await side.sentOrder();
});

async function publish(topic: string, ...messages: Message[]): Promise<void> {
  await side.producer.send({ topic: side.product.topicPrefix + topic, messages });
}

function update({ order_id = orderId, ...fields }: Partial<CarrierUpdate> = {}): Message {
  const value = side.codec.encode("carriers.updates", {
    update_id: randomUUID(),
    provider: "manual",
    order_id,
    request_version: 1,
    occurred_at: Date.now(),
    raw_status: "REPORTED",
    ...fields,
  });
  return { key: order_id, value };
}

type PortOutKind = "requested" | "cancelled";

function portOutUpdate(fields: Partial<PortOutUpdate>): Message {
  const value = side.codec.encode("carriers.port-outs", {
    update_id: randomUUID(),
    provider: "us-lsr",
    port_out_ref: "",
    kind: "requested",
    phone_numbers: [ported],
    gaining_carrier: "Other Telecom",
    requested_foc: "2026-12-20T10:00:00+01:00",
    attempted_pin: "4711",
    occurred_at: Date.now(),
    ...fields,
  });
  return { key: ported, value };
}

/** The receipts that fit, once there are as many. */
async function receipts(count: number, fits: (seen: Seen) => boolean): Promise<Seen[]> {
  const topic = `${side.product.topicPrefix}carriers.receipts`;
  return eventually(async () => {
    const raws = await readTopic(side.kafka, topic);
    const all = await Promise.all(
      raws.map(async ({ value, key, headers }) => ({
        receipt: await side.codec.decode("carriers.receipts", value),
        key: key?.toString(),
        provider: headers["provider"],
      })),
    );
    const found = all.filter(fits);
    expect(found).toHaveLength(count);
    return found;
  });
}

const of =
  (...ids: readonly string[]) =>
  ({ receipt }: Seen): boolean =>
    ids.includes(receipt.update_id ?? "");

describe("carriers.receipts", () => {
  it("has a receipt for every update, which says whether it moved the order", async () => {
    const order_id = await side.sentOrder();
    const newId = (name: string): string => `${name}-${randomUUID()}`;
    const [applied, late, unknown] = [newId("a"), newId("l"), newId("u")] as const;
    const [closing, closed] = [newId("c"), newId("d")] as const;
    const foc_at = new Date(Date.now() + 3_600_000).toISOString();
    const dated = update({ order_id, update_id: applied, kind: "date_confirmed", foc_at });
    await publish(
      "carriers.updates",
      dated,
      update({ order_id, update_id: late, kind: "acknowledged" }),
      update({ order_id, update_id: unknown, raw_status: "NEVER HEARD OF" }),
      dated,
      update({ order_id, update_id: closing, kind: "refused" }),
      update({ order_id, update_id: closed, kind: "acknowledged" }),
    );
    const ids = [applied, late, unknown, closing, closed];
    const found = await receipts(6, of(...ids));
    const outcomes = found.map(({ receipt: { update_id, outcome, code } }) => [
      ids.indexOf(update_id ?? ""),
      outcome,
      code,
    ]);
    expect(outcomes.sort()).toEqual([
      [0, "applied", null],
      [0, "ignored", "repeated"],
      [1, "ignored", "no_effect"],
      [2, "ignored", "unknown_status"],
      [3, "applied", null],
      [4, "ignored", "order_closed"],
    ]);
    expect(found.map(({ provider, key }) => [provider, key])).toEqual(
      found.map(() => ["manual", order_id]),
    );
    const places = found.map(({ receipt }) => receipt.source_offset);
    expect(new Set(places).size).toBe(6);
  });

  it("has a refused receipt for each malformed update, with code, detail and where it lay", async () => {
    const messageId = randomUUID();
    const bad: readonly (readonly [string, Message])[] = [
      ["undecodable", { key: orderId, value: randomBytes(40).fill(1, 0, 1) }],
      ["undecodable", { key: orderId, value: Buffer.from(String(update().value)).subarray(0, 9) }],
      ["null_value", { key: orderId, value: null }],
      ["unknown_schema", { key: orderId, value: Buffer.from([0, 119, 1, 1, 1, 2, 3]) }],
      ["rule_broken", update({ kind: "date_confirmed" })],
      ["rule_broken", update({ kind: "rejected" })],
      ["rule_broken", update({ phone_numbers: ["+12125550000"] })],
      ["rule_broken", update({ update_id: `\u0000${"x".repeat(300)}` })],
      ["unknown_order", update({ order_id: randomUUID() })],
      ["provider_mismatch", update({ provider: "sandbox" })],
    ];
    for (const [, message] of bad) {
      await publish("carriers.updates", { ...message, headers: { "message-id": messageId } });
    }
    const found = await receipts(
      bad.length,
      ({ receipt }) => receipt.source_message_id === messageId,
    );
    expect(found.map(({ receipt }) => receipt.code).sort()).toEqual(
      bad.map(([code]) => code).sort(),
    );
    for (const { receipt, provider } of found) {
      const isRead = !["undecodable", "null_value", "unknown_schema"].includes(receipt.code ?? "");
      expect(receipt.outcome).toBe("refused");
      expect(receipt.detail).not.toMatch(/\+1212|\0/);
      expect(provider).toBe(isRead ? receipt.provider : undefined);
      expect(receipt.provider !== "").toBe(isRead);
      expect(receipt.source_topic).toBe(`${side.product.topicPrefix}carriers.updates`);
    }
  });

  it("names the provider of undecodable bytes where their sender sets the header", async () => {
    const messageId = randomUUID();
    const headers = { provider: "us-lsr", "message-id": messageId };
    await publish("carriers.updates", { key: "k", value: Buffer.from("garbage"), headers });
    const [seen] = await receipts(1, ({ receipt }) => receipt.source_message_id === messageId);
    expect(seen?.provider).toBe("us-lsr");
    expect(seen?.receipt).toMatchObject({
      provider: "us-lsr",
      outcome: "refused",
      update_id: null,
    });
  });

  it("labels the dead letter with provider and update-id", async () => {
    const update_id = randomUUID();
    await publish("carriers.updates", update({ update_id, provider: "sandbox" }));
    const topic = `${side.product.topicPrefix}carriers.updates.dead-letter`;
    await eventually(async () => {
      const letters = await readTopic(side.kafka, topic);
      expect(
        letters.map(({ headers }) => [headers["provider"], headers["update-id"]]),
      ).toContainEqual(["sandbox", update_id]);
    });
  });

  it("has receipts of port-outs, and of calls that are refused alone", async () => {
    const port_out_ref = randomUUID();
    const portOut = (kind: PortOutKind, fields: Partial<PortOutUpdate> = {}) =>
      portOutUpdate({ port_out_ref, kind, ...fields });
    await publish("carriers.port-outs", portOut("requested"), portOut("requested"));
    await publish(
      "carriers.port-outs",
      portOut("cancelled"),
      portOut("requested", { phone_numbers: [] }),
    );
    const found = await receipts(4, ({ receipt }) => receipt.port_out_ref === port_out_ref);
    expect(found.map(({ receipt }) => [receipt.outcome, receipt.code]).sort()).toEqual([
      ["applied", null],
      ["ignored", "already_requested"],
      ["ignored", "no_effect"],
      ["refused", "rule_broken"],
    ]);
    expect(JSON.stringify(found.map(({ receipt }) => receipt))).not.toMatch(/4711|\+1212/);

    const refused = buildCallUpdate({
      phone_number: side.product.newNumber(),
      call_id: randomUUID(),
    });
    const value = side.codec.encode("carriers.calls", refused);
    await publish("carriers.calls", { key: refused.phone_number, value });
    const [seen] = await receipts(1, ({ receipt }) => receipt.call_id === refused.call_id);
    expect(seen?.receipt).toMatchObject({ outcome: "refused", code: "unknown_number" });
  });

  it("has refused a port-out update that repeats an id with another PIN", async () => {
    const update_id = randomUUID();
    const given = { update_id, port_out_ref: update_id, occurred_at: Date.now() };
    const pins = ["4711", "4711", "4712"];
    const updates = pins.map((attempted_pin) => portOutUpdate({ ...given, attempted_pin }));
    await publish("carriers.port-outs", ...updates);
    const found = await receipts(3, of(update_id));
    expect(found.map(({ receipt }) => receipt.code)).toEqual([null, "repeated", "update_conflict"]);
  });

  it("answers what the desk replays with the receipt of the new message", async () => {
    const update_id = randomUUID();
    await publish("carriers.updates", update({ update_id, request_version: 2, kind: "comment" }));
    await receipts(1, of(update_id));
    const url = `${side.product.deskUrl}/desk/v1/dead_letters`;
    const key = side.product.deskToken;
    const listed = await call(`${url}?error_code=provider_mismatch&key=${orderId}&limit=250`, {
      key,
    });
    const letters = listed.body?.["data"] as { id: string; value: { update_id?: string } }[];
    const { id = "" } = letters.find(({ value }) => value.update_id === update_id) ?? {};
    expect((await call(`${url}/${id}/replay`, { method: "POST", key, body: {} })).status).toBe(200);
    const found = await receipts(2, of(update_id));
    expect(new Set(found.map(({ receipt }) => receipt.source_offset)).size).toBe(2);
  });
});
