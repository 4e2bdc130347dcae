/** @tier all */
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import type { CopyName } from "../../../infra/start/supervisor/service-table.ts";
import { openCarrierSide, type CarrierSide } from "../../support/carriers/carrier-side.ts";
import type { OwnProduct } from "../../support/product/product.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http/call.ts";
import { MetricsPage } from "../../support/http/metrics-page.ts";
import { startWebhookReceiver } from "../../support/webhooks/webhook-receiver.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

let side: CarrierSide<OwnProduct>;
let orderId: string;

beforeAll(async () => {
  const env = { DATABASE_POOL_SIZE: "5" };
  side = await openCarrierSide({ also: ["event-log", "webhook-sender"], env });
  const receiver = await startWebhookReceiver();
  await side.api("/v2/webhook_endpoints", { url: `${receiver.url}/hook` });
  orderId = await side.sentOrder("+12125557051");
});

function metricsOf(service: CopyName): Promise<MetricsPage> {
  return MetricsPage.read(side.product.supervisor.service(service).url());
}

function publish(value: Buffer): Promise<unknown> {
  const topic = `${side.product.topicPrefix}carriers.updates`;
  return side.producer.send({ topic, messages: [{ key: orderId, value }] });
}

describe("the metrics of the services", () => {
  it("count requests by route and status, and name the trace of one", async () => {
    const { apiUrl, apiKey: key } = side.product;
    await call(`${apiUrl}/v2/porting_orders/${orderId}`, {
      key,
      headers: { traceparent: TRACEPARENT },
    });
    const page = await metricsOf("api");
    const route = { route: "/v2/porting_orders", method: "POST" };
    expect(page.sum("http_requests_total", { ...route, status: "201" })).toBe(1);
    expect(page.sum("http_request_seconds_count", route)).toBe(1);
    expect(page.text).toMatch(
      new RegExp(
        `route="/v2/porting_orders/:id".* # \\{trace_id="${TRACE_ID}",span_id="[0-9a-f]{16}"\\} `,
      ),
    );
    expect(page.sum("http_connections_refused_total", { reason: "server" })).toBe(0);
  });

  it("show the connections of each pool, and the space of the documents' disk", async () => {
    const page = await metricsOf("api");
    expect(page.sum("database_pool_max_connections", { pool: "main" })).toBe(5);
    expect(page.sum("database_pool_max_connections", { pool: "access" })).toBe(2);
    expect(page.sum("database_pool_connections", { pool: "access" })).toBeGreaterThan(0);
    expect(page.sum("database_pool_waiting_requests", { pool: "main" })).toBe(0);
    expect(page.sum("disk_free_bytes", { disk: "documents" })).toBeGreaterThan(0);
    const sender = await metricsOf("webhook-sender");
    expect(sender.sum("database_pool_max_connections", { pool: "dispatch" })).toBe(5);
    expect((await metricsOf("outbox-relay")).sum("database_pool_max_connections")).toBe(4);
  });

  it("count events by type and webhook attempts by result", async () => {
    await eventually(async () => {
      const events = await metricsOf("event-log");
      expect(events.sum("porting_events_total", { type: "porting_order.created" })).toBe(1);
      const sender = await metricsOf("webhook-sender");
      const attempts = sender.sum("webhook_attempt_seconds_count", { result: "succeeded" });
      expect(attempts).toBe(events.sum("porting_events_total"));
    });
  });

  it("count requests to carriers and their updates, with those that nobody understands", async () => {
    const fields = { provider: "manual", order_id: orderId, request_version: 1 };
    const update = { ...fields, occurred_at: Date.now(), raw_status: "NO SUCH STATUS" };
    const update_id = randomBytes(8).toString("hex");
    await publish(side.codec.encode("carriers.updates", { ...update, update_id }));
    await eventually(async () => {
      const page = await metricsOf("carrier-adapter");
      const provider = "manual";
      expect(page.sum("carrier_requests_total", { provider, kind: "submit" })).toBe(1);
      expect(page.sum("carrier_updates_total", { provider, kind: "unknown" })).toBe(1);
      expect(page.sum("carrier_statuses_unknown_total", { provider })).toBe(1);
    });
  });

  it("show open dead letters by topic until an operator discards them", async () => {
    const open = async (): Promise<(number | null)[]> => {
      const page = await metricsOf("outbox-relay");
      return ["carriers.updates", "porting.events"].map((topic) =>
        page.sum("dead_letters_open", { topic }),
      );
    };
    await eventually(async () => expect(await open()).toEqual([0, 0]));
    await publish(randomBytes(40).fill(1, 0, 1));
    await eventually(async () => expect(await open()).toEqual([1, 0]));
    const counted = (await metricsOf("carrier-adapter")).sum("dead_letters_total", {
      topic: "carriers.updates",
      code: "undecodable",
    });
    expect(counted).toBe(1);
    const { deskUrl, deskToken: key } = side.product;
    const body = { filter: { topic: "carriers.updates" }, dry_run: false };
    await call(`${deskUrl}/desk/v1/dead_letters/discard`, { method: "POST", key, body });
    await eventually(async () => expect(await open()).toEqual([0, 0]));
  });

  it("show what the outbox has not sent", async () => {
    await eventually(async () => {
      const page = await metricsOf("outbox-relay");
      expect(page.sum("outbox_unsent_messages")).toBe(0);
      expect(page.sum("outbox_oldest_seconds")).toBe(0);
      expect(page.sum("outbox_log_bytes")).toBeLessThan(10_000_000);
      expect(page.sum("relayed_total")).toBeGreaterThan(10);
    });
  });
});
