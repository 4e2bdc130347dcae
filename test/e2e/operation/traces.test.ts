/** @tier all */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { SPAN_ATTRIBUTES } from "../../../services/platform/tracing/tracing.ts";
import { eventually } from "../../support/eventually.ts";
import { call, dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { confirmAtDesk, fulfilOrder } from "../../support/orders/fulfil-order.ts";
import { startOwnProduct, type OwnProduct } from "../../support/product/product.ts";
import {
  startOtlpReceiver,
  type CollectedSpan,
  type OtlpReceiver,
} from "../../support/tracing/otlp-receiver.ts";
import {
  startWebhookReceiver,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";

const NUMBER = "+12125550147";
const SPAN_BYTES = 8;
const TRACE_BYTES = 16;

const randomHex = (bytes: number): string => randomBytes(bytes).toString("hex");

/** The trace of a client that records, or does not record, what it asks for. */
function clientTrace(flags: "00" | "01") {
  const [traceId, spanId] = [randomHex(TRACE_BYTES), randomHex(SPAN_BYTES)];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

const CREATION = clientTrace("01");
const SUBMIT = clientTrace("01");
const NOT_SAMPLED = clientTrace("00");

let product: OwnProduct;
let receiver: WebhookReceiver;
let collector: OtlpReceiver;
let secret: string;
let failedOnce = false;

function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return call(product.apiUrl + path, { method: "POST", key: product.apiKey, body, headers });
}

/** The first webhook of the submission fails, and succeeds when it is tried again. */
function answerTo({ body }: { readonly body: Buffer }): number {
  const isSubmission = body.includes('"new_status":"in_review"');
  if (!isSubmission || failedOnce) return 200;
  failedOnce = true;
  return 503;
}

beforeAll(async () => {
  [collector, receiver] = await Promise.all([startOtlpReceiver(), startWebhookReceiver(answerTo)]);
  product = await startOwnProduct({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
      WEBHOOK_RETRY_SCHEDULE: "300ms,600ms",
    },
  });
  const endpoint = await post("/v2/webhook_endpoints", {
    url: `${receiver.url}/hook?token=hunter2`,
  });
  secret = textOf(endpoint, "signing_secret");
  const unseen = await post(
    "/v2/porting_orders",
    { phone_numbers: ["+12125550148"] },
    NOT_SAMPLED.headers,
  );
  expect(unseen.status).toBe(201);
  const made = await post(
    "/v2/porting_orders",
    { phone_numbers: [NUMBER], customer_reference: "Ada" },
    CREATION.headers,
  );
  const orderId = z.string().parse(dataOf(made)[0]?.["id"]);
  await fulfilOrder(product, orderId);
  const submitted = await post(`/v2/porting_orders/${orderId}/submit`, {}, SUBMIT.headers);
  expect(submitted.status).toBe(200);
  await confirmAtDesk(product, orderId);
  await eventually(async () => {
    const order = await call(`${product.apiUrl}/v2/porting_orders/${orderId}`, {
      key: product.apiKey,
    });
    expect(order.body?.["status"]).toBe("completed");
  });
  await eventually(() => webhookOf("number.activated"));
});

interface Wanted extends Partial<Pick<CollectedSpan, "service" | "traceId" | "parentSpanId">> {
  readonly name: string;
}

/** The only span like this, its topics without the test's prefix. */
function spanOf(wanted: Wanted): CollectedSpan {
  const found = spansOf(wanted);
  expect(found).toHaveLength(1);
  const [only] = found;
  if (only === undefined) throw new Error(`There is no span ${wanted.name}.`);
  return only;
}

function spansOf({ name, ...fields }: Wanted): CollectedSpan[] {
  return collector.spans.filter(
    (span) =>
      nameOf(span) === name &&
      Object.entries(fields).every(
        ([field, wanted]) => span[field as keyof typeof fields] === wanted,
      ),
  );
}

const nameOf = ({ name }: CollectedSpan): string => name.replace(product.topicPrefix, "");

/** The attempt of the first webhook of a type. @throws while there is none */
function webhookOf(type: string): CollectedSpan {
  const found = collector.spans.find(({ attributes }) => attributes["webhook.event_type"] === type);
  if (found === undefined) throw new Error(`No webhook ${type} was attempted.`);
  return found;
}

/** A span and those that it hangs below, up to the first of the trace, as `service: name`. */
function wayTo(span: CollectedSpan): string[] {
  const parent = collector.spans.find(
    ({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId,
  );
  return [...(parent === undefined ? [] : wayTo(parent)), `${span.service}: ${nameOf(span)}`];
}

describe("the traces of an order", () => {
  it("continue the client's from its request through the relay to the webhook", async () => {
    const { traceId, spanId } = CREATION;
    const [request, sent, webhook] = await eventually(() => [
      spanOf({ name: "POST /v2/porting_orders", traceId }),
      spanOf({ name: "send porting.events", traceId }),
      spanOf({ name: "POST", traceId }),
    ]);
    expect(request).toMatchObject({ service: "api", kind: "server", parentSpanId: spanId });
    expect(sent).toMatchObject({
      service: "outbox-relay",
      kind: "producer",
      parentSpanId: request.spanId,
    });
    expect(webhook).toMatchObject({
      service: "webhook-sender",
      kind: "client",
      parentSpanId: sent.spanId,
      attributes: {
        "webhook.event_type": "porting_order.created",
        "webhook.attempt": 1,
        "http.response.status_code": 200,
      },
    });
  });

  it("are part of, or linked to by, the spans of those who handle events in batches", async () => {
    const { traceId } = CREATION;
    const sent = await eventually(() => spanOf({ name: "send porting.events", traceId }));
    for (const service of ["event-log", "webhook-sender"]) {
      await eventually(() => {
        const handled = collector.spans.filter(
          (span) =>
            span.service === service &&
            nameOf(span) === "process porting.events" &&
            (span.parentSpanId === sent.spanId || span.links.includes(sent.spanId)),
        );
        expect(handled.map(({ kind }) => kind)).toEqual(["consumer"]);
      });
    }
  });

  it("have an attempt that failed and its retry in one", async () => {
    const { traceId } = SUBMIT;
    const sent = await eventually(() => spanOf({ name: "send porting.events", traceId }));
    await eventually(() => expect(spansOf({ name: "POST", traceId })).toHaveLength(2));
    const attempts = spansOf({ name: "POST", traceId });
    expect(attempts.map(({ parentSpanId }) => parentSpanId)).toEqual([sent.spanId, sent.spanId]);
    expect(attempts.map(({ attributes }) => attributes)).toMatchObject([
      { "webhook.attempt": 1, "http.response.status_code": 503, "error.type": "503" },
      { "webhook.attempt": 2, "http.response.status_code": 200 },
    ]);
    await eventually(() => {
      const reviewed = spanOf({ name: "process porting.review-requests", traceId });
      expect(wayTo(reviewed)).toEqual([
        "api: POST /v2/porting_orders/:id/submit",
        "outbox-relay: send porting.review-requests",
        "requirement-review: process porting.review-requests",
      ]);
    });
  });

  it("lead from the desk's decision through every service and the carrier to a live number", async () => {
    const way = [
      "desk: POST /desk/v1/reviews/:order_id/decision",
      "outbox-relay: send porting.review-results",
      "order-lifecycle: process porting.review-results",
      "outbox-relay: send porting.carrier-requests",
      "carrier-adapter: process porting.carrier-requests",
      "outbox-relay: send carriers.requests",
      "sandbox-carrier: send carriers.updates",
      "carrier-adapter: process carriers.updates",
      "outbox-relay: send porting.carrier-results",
      "order-lifecycle: process porting.carrier-results",
      "outbox-relay: send porting.events",
      "webhook-sender: POST",
    ];
    await eventually(() => expect(wayTo(webhookOf("number.activated"))).toEqual(way));
  });

  it("keep a document's check with the upload that it follows", async () => {
    const checked = await eventually(() => {
      const [found] = collector.spans.filter(
        (span) =>
          nameOf(span) === "process porting.review-results" &&
          wayTo(span)[0] === "api: PATCH /v2/porting_orders/:id/requirements/:slug",
      );
      if (found === undefined) throw new Error("No check was handled.");
      return found;
    });
    expect(checked.service).toBe("order-lifecycle");
  });

  it("are not recorded where the client's is not sampled, by any service", () => {
    expect(spansOf({ name: "POST /v2/porting_orders", traceId: CREATION.traceId })).toHaveLength(1);
    expect(collector.spans.filter(({ traceId }) => traceId === NOT_SAMPLED.traceId)).toEqual([]);
  });

  it("show nothing of numbers, names, addresses and secrets", () => {
    const text = collector.text();
    const receiverPort = new URL(receiver.url).port;
    const canaries = [
      ...[NUMBER.slice(1), encodeURIComponent(NUMBER), "Ada", "hunter2", `:${receiverPort}`],
      ...[secret, product.apiKey, product.deskToken],
    ];
    expect(canaries.filter((canary) => text.includes(canary))).toEqual([]);
    const names = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...names].filter((name) => !new Set<string>(SPAN_ATTRIBUTES).has(name))).toEqual([]);
  });

  it("are named in the log lines of a request", () => {
    const log = readFileSync(join(product.logFolder, "api.log"), "utf8");
    const lines = log.split("\n").filter((line) => line.includes(CREATION.traceId));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ msg: "request", route: "/v2/porting_orders", status: 201 }),
    ]);
  });
});

describe("a collector that does not answer", () => {
  it("keeps no request waiting, and no service from stopping", async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    endAfterTests(() => {
      silent.close();
    });
    const { port } = silent.address() as AddressInfo;
    const alone = await startOwnProduct({
      services: ["api"],
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` },
    });
    const { apiUrl, apiKey: key, logFolder, supervisor } = alone;
    const asked = Array.from({ length: 50 }, () => call(`${apiUrl}/v2/porting_orders`, { key }));
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    supervisor.service("api").program.kill("SIGTERM");
    await eventually(() => {
      const log = readFileSync(join(logFolder, "api.log"), "utf8");
      expect(log).toContain("the last spans were not exported before the stop");
      expect(log).toContain('"msg":"stopped"');
    });
  });
});
