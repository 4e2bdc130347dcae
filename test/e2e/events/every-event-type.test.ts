import { beforeAll, describe, expect, it } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { EVENT_CATALOGUE } from "../../../services/api/openapi/event-catalogue.ts";
import { SENT_EVENT_TYPES, type SentEventType } from "../../../services/messages/events.ts";
import { call, dataOf, textOf, type Answer } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { addFormats } from "../../support/openapi/document-schemas.ts";
import { confirmAtDesk, fulfilOrder, submitOrder } from "../../support/orders/fulfil-order.ts";
import type { Product } from "../../support/product/product.ts";
import { startProduct } from "../../support/product/shared-products.ts";
import {
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from "../../support/webhooks/webhook-receiver.ts";
import { signatureHolds } from "../../support/webhooks/webhook-signature.ts";

let product: Product;
let receiver: WebhookReceiver;
let secret: string;
let ported: PortedIn;
/** That is ported in, called and ported out. */
let phoneNumber: string;

beforeAll(async () => {
  [product, receiver] = await Promise.all([startProduct(), startWebhookReceiver()]);
  phoneNumber = product.newNumber();
  const endpoint = await api("POST", "/webhook_endpoints", { url: `${receiver.url}/all` });
  secret = textOf(endpoint, "signing_secret");
  ported = await portIn();
  await forwardCalls();
  await portOut();
  await eventually(() =>
    expect([...new Set(receiver.received.map(typeOf))].sort()).toEqual(SENT_EVENT_TYPES.toSorted()),
  );
});

/** The names of an object's fields, with those of nested objects and lists of objects. */
type Shape = readonly (string | readonly [string, Shape])[];

const ORDER: Shape = [
  "id",
  "batch_id",
  "status",
  "closed_by",
  "provider_status",
  "country_code",
  "number_type",
  "customer_reference",
  "requirements_status",
  "foc_requested",
  "foc_actual",
  "phone_numbers",
];
const PART: Shape = ["id", "phone_numbers", "country_code", "number_type", "losing_carrier"];
const CALL: Shape = ["call_id", "phone_number", "from", "to", "occurred_at"];
const DECISION: Shape = ["by", "at", "code", "reason"];
const PORT_OUT: Shape = [
  "id",
  "phone_numbers",
  "status",
  "gaining_carrier",
  "requested_foc",
  "foc_actual",
  "decision_deadline",
  ["decision", DECISION],
  "provider_status",
  "created_at",
  "updated_at",
];

/**
 * The shapes of the specification (docs/contract/interface-specification.md, Payload shapes) and the additions to it
 * (docs/contract/customer-api.md, Payloads the specification does not describe).
 */
const PAYLOADS: Readonly<Partial<Record<SentEventType, Shape>>> = {
  "porting_order.created": [["porting_order", ORDER]],
  "porting_order.split": ["batch_id", ["porting_orders", PART]],
  "porting_order.deleted": [
    "porting_order_id",
    "batch_id",
    "customer_reference",
    "phone_numbers",
    "deleted_at",
    "deleted_by",
  ],
  "porting_order.status_changed": [["porting_order", ORDER], "previous_status", "new_status"],
  "porting_order.requirement_updated": ["porting_order_id", ["requirement", ["slug", "status"]]],
  "porting_order.new_comment": [
    "porting_order_id",
    ["comment", ["id", "body", "author_type", "created_at"]],
  ],
  "loa.signed": ["porting_order_id", "document_id", "sha256", "signer_name", "signed_at"],
  "number.activated": [
    "phone_number",
    "porting_order_id",
    "country_code",
    "number_type",
    "activated_at",
  ],
  "number.provider_changed": [
    "phone_number",
    "previous_provider",
    "new_provider",
    "forwarding_reapplied",
  ],
  "number.ported_out": ["phone_number", "port_out_id", "gaining_carrier", "ported_out_at"],
  "call.forwarded": [...CALL, "forwarded_by", "stage"],
  "call.completed": [...CALL, "duration_seconds", "ended_by"],
  "call.missed": [...CALL, "reason"],
  "port_out.created": [["port_out", PORT_OUT]],
  "port_out.status_changed": [["port_out", PORT_OUT], "previous_status", "new_status"],
};

const object = z.record(z.string(), z.unknown());

/** Compares an object with a shape: all of its fields and no others. A null in place of an object is accepted. */
function expectShape(value: unknown, shape: Shape): void {
  const fields = object.parse(value);
  const names = shape.map((one) => (typeof one === "string" ? one : one[0]));
  expect(Object.keys(fields).toSorted()).toEqual(names.toSorted());
  for (const one of shape) {
    if (typeof one === "string") continue;
    const [name, inner] = one;
    const held = fields[name];
    if (held === null) continue;
    for (const item of Array.isArray(held) ? held : [held]) expectShape(item, inner);
  }
}

function api(method: string, path: string, body?: unknown): Promise<Answer> {
  return call(`${product.apiUrl}/v2${path}`, { method, key: product.apiKey, body });
}

function desk(method: string, path: string, body?: unknown): Promise<Answer> {
  return call(`${product.deskUrl}/desk/v1${path}`, { method, key: product.deskToken, body });
}

/** The orders of one request: the first, of the number that is carried out, and the one that is deleted. */
interface PortedIn {
  readonly orderId: string;
  readonly deletedId: string;
}

/** Creates orders of two countries: one is deleted, the other is carried out to the end. */
async function portIn(): Promise<PortedIn> {
  const phone_numbers = [phoneNumber, product.newNumber("+4420")];
  const made = dataOf(await api("POST", "/porting_orders", { phone_numbers }));
  const idOf = (country: string): string =>
    z.string().parse(made.find((one) => one["country_code"] === country)?.["id"]);
  const [orderId, deletedId] = [idOf("US"), idOf("GB")];
  expect((await api("DELETE", `/porting_orders/${deletedId}`)).status).toBe(204);
  await fulfilOrder(product, orderId);
  await submitOrder(product, orderId);
  const comment = await desk("POST", `/orders/${orderId}/comments`, { body: "On its way." });
  expect(comment.status).toBe(201);
  await confirmAtDesk(product, orderId);
  await eventually(async () => {
    const { body } = await api("GET", `/porting_orders/${orderId}`);
    expect(body?.["status"]).toBe("completed");
  });
  return { orderId, deletedId };
}

async function forwardCalls(): Promise<void> {
  const forwarding = { primary: "+12125550177" };
  expect((await api("PATCH", `/numbers/${phoneNumber}`, { forwarding })).status).toBe(200);
  const common = { phone_number: phoneNumber, from: "+12125550199", to: "+12125550177" };
  for (const step of [
    { kind: "forwarded", forwarded_by: "carrier", stage: "primary" },
    { kind: "completed", duration_seconds: 61, ended_by: "callee" },
    { kind: "missed", reason: "caller_hangup" },
  ]) {
    expect((await desk("POST", "/sandbox/calls", { ...common, ...step })).status).toBe(202);
  }
  const provider = "manual";
  expect((await desk("POST", `/numbers/${phoneNumber}/provider`, { provider })).status).toBe(200);
}

async function portOut(): Promise<void> {
  const asked = await desk("POST", "/sandbox/port_outs", {
    phone_numbers: [phoneNumber],
    gaining_carrier: "Other Telecom",
    requested_foc: "2026-12-20T10:00:00+01:00",
  });
  const waiting = await eventually(async () => {
    const [found] = dataOf(await api("GET", "/port_outs?status=decision_required"));
    return z.object({ id: z.string() }).parse(found);
  });
  expect((await api("POST", `/port_outs/${waiting.id}/approve`)).status).toBe(200);
  const ref = textOf(asked, "port_out_ref");
  expect((await desk("POST", `/sandbox/port_outs/${ref}/complete`)).status).toBe(202);
}

function typeOf({ headers }: ReceivedWebhook): unknown {
  return headers["porting-event-type"];
}

describe("every type of event", () => {
  it("is received with a valid signature and exactly the payload fields of the contract", async () => {
    for (const webhook of receiver.received) {
      expect(signatureHolds(secret, webhook)).toBe(true);
      const body = object.parse(JSON.parse(webhook.body.toString()));
      expect(Object.keys(body)).toEqual(["id", "type", "created_at", "payload"]);
      expect([body["id"], body["type"]]).toEqual([
        webhook.headers["porting-event-id"],
        webhook.headers["porting-event-type"],
      ]);
      const type = z.enum(SENT_EVENT_TYPES).parse(body["type"]);
      expectShape(body["payload"], PAYLOADS[type] ?? []);
      const stored = await api("GET", `/porting/events/${String(body["id"])}`);
      expectShape(stored.body, ["id", "type", "order_id", "payload", "created_at"]);
      expect(stored.body?.["payload"]).toEqual(body["payload"]);
    }
  });

  // (docs/contract/customer-api.md, Payloads the specification does not describe)
  it("names the order that it concerns, or that brought the number in", async () => {
    const { orderId, deletedId } = ported;
    const events = dataOf(await api("GET", "/porting/events?limit=250"));
    const orderIds = new Map(SENT_EVENT_TYPES.map((type) => [type, new Set<unknown>()]));
    for (const one of events) {
      orderIds.get(z.enum(SENT_EVENT_TYPES).parse(one["type"]))?.add(one["order_id"]);
    }
    const wanted = SENT_EVENT_TYPES.map((type): [SentEventType, Set<unknown>] => {
      if (type === "porting_order.created") return [type, new Set([orderId, deletedId])];
      return [type, new Set([type === "porting_order.deleted" ? deletedId : orderId])];
    });
    expect(orderIds).toEqual(new Map(wanted));
  });

  it("fits the JSON Schema that the API serves for its type", async () => {
    const faults: unknown[] = [];
    for (const type of SENT_EVENT_TYPES) {
      const served = await fetch(`${product.apiUrl}/schemas/webhooks/${type}.json`);
      const ajv = new Ajv2020({ allErrors: true });
      addFormats(ajv);
      const validate = ajv.compile(object.parse(await served.json()));
      const received = receiver.received.filter((webhook) => typeOf(webhook) === type);
      expect([type, received.length > 0]).toEqual([type, true]);
      for (const { body } of received) {
        if (!validate(JSON.parse(body.toString()))) faults.push([type, validate.errors]);
      }
    }
    expect(faults).toEqual([]);
  });

  it("comes right after a type that the catalogue names, on its order or port-out", async () => {
    const events = dataOf(await api("GET", "/porting/events?limit=250&order=asc"));
    const types = (ofSubject: (event: (typeof events)[number], type: string) => boolean) =>
      events
        .filter((event) => ofSubject(event, String(event["type"])))
        .map((event) => z.enum(SENT_EVENT_TYPES).parse(event["type"]));
    const isOfOrder = (type: string) => /^(porting_order|loa)\.|^number\.activated$/.test(type);
    const sequences = [
      types((event, type) => event["order_id"] === ported.orderId && isOfOrder(type)),
      types((event, type) => event["order_id"] === ported.deletedId && isOfOrder(type)),
      types((_event, type) => /^port_out\.|^number\.ported_out$/.test(type)),
    ];
    expect(sequences.map(([first]) => first)).toEqual([
      "porting_order.created",
      "porting_order.created",
      "port_out.created",
    ]);
    const unnamed = sequences.flatMap((sequence) =>
      sequence.slice(1).flatMap((type, n) => {
        const before = sequence[n];
        const entry = EVENT_CATALOGUE.find((one) => one.type === before);
        return entry?.precedes.includes(type) === true ? [] : [`${String(before)} → ${type}`];
      }),
    );
    expect(unnamed).toEqual([]);
  });
});
