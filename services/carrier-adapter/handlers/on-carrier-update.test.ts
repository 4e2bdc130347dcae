import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "@jest/globals";
import type { QueryConfig } from "pg";
import { buildCarrierUpdate } from "../../../test/support/carriers/carrier-update-factory.ts";
import { orderIn, T0 } from "../../../test/support/orders/order-factory.ts";
import { buildRawMessage } from "../../../test/support/stack/raw-message-factory.ts";
import type { Provider } from "../../domain/carrier/rules/provider.ts";
import { LockedOrders } from "../../domain/order/store/locked-orders.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { hashContent } from "../store/update-claims.ts";
import { onCarrierUpdate, orderOfUpdate, unknownStatuses } from "./on-carrier-update.ts";
import { MetricsPage } from "../../../test/support/http/metrics-page.ts";

const order = orderIn("submitted", { provider: "test", request_version: 2 });
const locked = new LockedOrders([order]);
const providers = new Set(["test", "sandbox"]);
const update = buildCarrierUpdate({ order_id: order.id, kind: "acknowledged" });

describe("the order of a status update", () => {
  it("is found where its provider was sent that version of it", () => {
    for (const request_version of [1, 2]) {
      expect(orderOfUpdate(locked, { ...update, request_version }, providers)).toBe(order);
    }
  });

  it.each([
    ["unknown_order", { order_id: "01a1fc57-b585-7195-84b0-000000000009" }],
    ["provider_mismatch", { provider: "sandbox" }],
    ["provider_mismatch", { provider: "TEST" }],
    ["provider_mismatch", { request_version: 0 }],
    ["provider_mismatch", { request_version: 3 }],
  ])("is refused as %s for %j", (code, fields) => {
    expect(() => orderOfUpdate(locked, { ...update, ...fields }, providers)).toThrow(
      expect.objectContaining({ code }),
    );
  });

  it.each([
    ["sandbox", /^The order is not one of provider sandbox\.$/],
    ["tset", /^There is no provider "tset": /],
  ])("is refused to provider %s with what is wrong with the name", (provider, sentence) => {
    expect(() => orderOfUpdate(locked, { ...update, provider }, providers)).toThrow(sentence);
  });
});

const topicsOf = (outboxRows: unknown): string[] =>
  (JSON.parse(String(outboxRows)) as { readonly topic: string }[]).map(({ topic }) => topic);

/** An adapter over claims in memory: what it writes, by topic, and how many updates it has counted. */
function startAdapter() {
  const written: string[] = [];
  const claims = new Map<string, { readonly hash: unknown; readonly offset: unknown }>();
  const query = ({ name, values = [] }: QueryConfig) => {
    const id = `${String(values[0])} ${String(values[1])}`;
    const known = claims.get(id);
    if (name === "carrier-update-claim") {
      if (known !== undefined) return Promise.resolve({ rows: [] });
      claims.set(id, { hash: values[3] as unknown, offset: values[6] as unknown });
      written.push(...topicsOf(values[7]));
      return Promise.resolve({ rows: [{ update_id: values[1] as unknown }] });
    }
    if (name === "carrier-update-known") {
      const same = values.slice(2, 4).some((hash) => isDeepStrictEqual(known?.hash, hash));
      return Promise.resolve({ rows: [{ same, redelivered: known?.offset === values[5] }] });
    }
    written.push(...topicsOf(values[0]));
    return Promise.resolve({ rows: [] });
  };
  const bus = {
    clock: { now: () => T0 },
    metrics: createMetrics("test"),
    topicPrefix: "",
    codec: { encode: () => Buffer.from("") },
  } as unknown as Bus;
  const handler = onCarrierUpdate(bus, new Map<string, Provider>());
  let counted = 0;
  const receive = async (fields: Partial<typeof update>, offset = 0): Promise<string[]> => {
    const effects: (() => void)[] = [];
    const onCommit = (effect: () => void) => effects.push(effect);
    const round = { tx: { query }, locked, onCommit } as unknown as Parameters<
      typeof handler.handle
    >[0];
    const received = { message: { ...update, ...fields }, raw: buildRawMessage({ offset }) };
    await handler.handle(round, received);
    counted += effects.length;
    return written.splice(0);
  };
  return { claims, receive, written, counted: () => counted };
}

const RESULT = ["porting.carrier-results"];
const RECEIPT = ["carriers.receipts"];

describe("a status update", () => {
  it("goes on to order-lifecycle once; what repeats it under its id has a receipt", async () => {
    const { receive, counted } = startAdapter();
    expect(await receive({})).toEqual(RESULT);
    expect(await receive({}, 1)).toEqual(RECEIPT);
    expect(await receive({ order_id: order.id.toUpperCase() }, 2)).toEqual(RECEIPT);
    expect(counted()).toBe(1);
  });

  it("that Kafka delivers again has its receipt already", async () => {
    const { receive } = startAdapter();
    await receive({}, 7);
    expect(await receive({}, 7)).toEqual([]);
  });

  it("is the same after a release has added a nullable field, claimed by that version or the one before", async () => {
    const { claims, receive } = startAdapter();
    const later = { ...update, added_later: null };
    await receive({});
    expect(await receive(later)).toEqual([]);
    expect(await receive(later, 1)).toEqual(RECEIPT);
    const hash = hashContent(update).withNulls;
    claims.set(`${update.provider} ${update.update_id}`, { hash, offset: 0 });
    expect(await receive({}, 1)).toEqual(RECEIPT);
  });

  it("of other content under a known id is refused", async () => {
    const { receive, written } = startAdapter();
    await receive({});
    await expect(receive({ raw_status: "OTHER" }, 1)).rejects.toMatchObject({
      code: "update_conflict",
    });
    expect(written).toEqual([]);
  });

  it("that fits neither its order nor its kind is refused, and nothing is passed on", async () => {
    const { receive, written, counted } = startAdapter();
    const broken = { code: "rule_broken" };
    await expect(receive({ kind: "date_confirmed" })).rejects.toMatchObject(broken);
    await expect(receive({ update_id: "" })).rejects.toMatchObject(broken);
    expect([written, counted()]).toEqual([[], 0]);
  });

  it("of an unknown status is passed on, for the order to note", async () => {
    expect(await startAdapter().receive({ kind: null })).toEqual(RESULT);
  });
});

it("unknown statuses are counted from 0 on, of a provider whose file was added later too", async () => {
  const metrics = createMetrics("test");
  const providers = new Map([["north", {}]]);
  const count = unknownStatuses(metrics, providers);
  const shown = async (provider: string) => {
    const page = new MetricsPage((await metrics.page()).text);
    return page.sum("carrier_statuses_unknown_total", { provider });
  };
  expect([await shown("north"), await shown("south")]).toEqual([0, null]);
  providers.set("south", {});
  count("north");
  expect([await shown("north"), await shown("south")]).toEqual([1, 0]);
});
