import { exampleEvent } from "../../domain/event/rules/serialize-event.ts";
import type { ApiDescription, DescribedWebhooks } from "../../platform/openapi/describe-api.ts";
import { capitalized } from "../../platform/openapi/operation-id.ts";
import { webhookSchemas } from "./webhook-schemas.ts";

const SECTION = {
  name: "Webhooks",
  description: "The requests that the service sends to webhook endpoints, by event type.",
};

const HEADERS = [
  ["Porting-Event-Id", "The event's id, as in the body; the same whenever it is sent again"],
  ["Porting-Event-Type", "The event's type, as in the body"],
  [
    "Porting-Signature",
    "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over `<t>.<raw body>`; one `v1` per secret while two are valid",
  ],
  ["webhook-id", "The event's id (Standard Webhooks)"],
  ["webhook-timestamp", "When the request was signed, in Unix seconds (Standard Webhooks)"],
  ["webhook-signature", "`v1,<base64>` (Standard Webhooks)"],
] as const;

const ANSWERING =
  "Any 2xx within 15 seconds is a success; the body of the response is not read. An event may arrive twice, and events may arrive in another order: deduplicate by `Porting-Event-Id`.";

const TEXT = { type: "string" } as const;

/** `porting_order.created` → `sendPortingOrderCreated`. */
function operationIdOf(type: string): string {
  return ["send", ...type.split(/[._]/).map(capitalized)].join("");
}

/** The `webhooks` of the OpenAPI document: the request sent for each event type, with an example. */
export function describeWebhooks(): DescribedWebhooks {
  const { webhooks, schemas } = webhookSchemas();
  const requests = webhooks.map(({ type, summary, body }) => {
    const schema = { $ref: `#/components/schemas/${body}` };
    const post = {
      operationId: operationIdOf(type),
      summary,
      description: ANSWERING,
      tags: [SECTION.name],
      security: [],
      parameters: HEADERS.map(([name, description]) => {
        return { name, in: "header" as const, required: true, description, schema: TEXT };
      }),
      requestBody: {
        required: true,
        content: { "application/json": { schema, example: exampleEvent(type) } },
      },
      responses: {
        "2XX": { description: "Received" },
        default: { description: "Any other response is retried according to the retry schedule" },
      },
    };
    return [type, { post }] as const;
  });
  return { section: SECTION, requests: Object.fromEntries(requests), schemas };
}

/** The general part of the customer API's OpenAPI document. */
export const API_DESCRIPTION: ApiDescription = {
  title: "Number Porting API",
  version: "2.0.0",
  description: `Moves phone numbers from another carrier to the platform.

An order goes from draft through review, the losing carrier and a confirmed FOC date to active numbers; every change
is an event, in a feed and as a webhook. Lists are paginated: \`starting_after\` takes the id of the last object, the
\`Link\` header has the URL of the next page. POST and PATCH accept an \`Idempotency-Key\`. Every error is
\`application/problem+json\` with a stable \`code\`. Times are ISO 8601 in UTC, phone numbers E.164, ids UUIDs.

Within this version fields, event types, statuses and codes may be added at any time; existing ones do not change. A
client must accept them: objects of responses have no closed set of fields, and every enumeration of a response is
\`anyOf\` the known values and any other string. The payload of an event depends on its type: the component
\`PortingOrderCreatedPayload\` is the payload of \`porting_order.created\`, and so on.

\`/schemas/webhooks/porting_order.created.json\` is the JSON Schema (2020-12) of that webhook's body, and so on;
\`/asyncapi.json\` describes the topics that carrier integrations and analysts use (AsyncAPI 3).`,
  contact: "The operators of the platform",
  sections: [
    {
      name: "Porting orders",
      description: "Orders to move numbers to the platform.",
      paths: ["/v2/porting_orders"],
    },
    {
      name: "Batches",
      description: "All orders that one request created, at once.",
      paths: ["/v2/porting_batches"],
    },
    {
      name: "Requirements",
      description:
        "What orders ask for: the values and documents of an order, of each kind, and of holders who are saved for the next orders.",
      paths: [
        "/v2/porting_orders/{}/requirements",
        "/v2/porting_requirements",
        "/v2/requirement_groups",
      ],
    },
    {
      name: "Letters of authorization",
      description: "The letter of authorization (LOA) of an order: read it, sign it.",
      paths: ["/v2/porting_orders/{}/loa"],
    },
    {
      name: "Comments",
      description: "What customer, porting desk and carrier write to each other about an order.",
      paths: ["/v2/porting_orders/{}/comments"],
    },
    {
      name: "Documents",
      description: "Files for orders, and those that belong to them.",
      paths: ["/v2/documents"],
    },
    {
      name: "Catalogues",
      description: "What can be ported, and why carriers reject orders.",
      paths: ["/v2/portability_checks", "/v2/porting_exceptions"],
    },
    {
      name: "Numbers",
      description: "Numbers on the platform: forwarding, and protection against port-outs.",
      paths: ["/v2/numbers", "/v2/number_defaults"],
    },
    {
      name: "Port-outs",
      description: "Other carriers' requests for numbers of the account.",
      paths: ["/v2/port_outs"],
    },
    {
      name: "Events",
      description: "Every change to the account's objects, in order.",
      paths: ["/v2/porting/events"],
    },
    {
      name: "Webhook endpoints",
      description: "Where events are sent, and the secrets that sign them.",
      paths: ["/v2/webhook_endpoints", "/v2/webhook_signing_secret"],
    },
    {
      name: "Webhook deliveries",
      description: "Every webhook that was sent or tried, and sending events again.",
      paths: [
        "/v2/webhook_deliveries",
        "/v2/webhook_recoveries",
        "/v2/webhook_endpoints/{}/recover",
        "/v2/porting/events/{}/deliveries",
        "/v2/porting/events/{}/republish",
      ],
    },
    {
      name: "Portal",
      description:
        "Links by which people work in the customers' portal, in a browser and without a key: the account's own, or an end user with one order. Their cookie stands in for a key; by it, what the session does not reach is 404, and a command from another site 403 `forbidden`.",
      paths: ["/v2/portal_sessions", "/v2/portal_branding", "/portal/session", "/portal/logos"],
    },
    { name: "API keys", description: "The account's API keys.", paths: ["/v2/api_keys"] },
  ],
  key: "An API key, `nps_live_…`. The platform's operators issue the first one.",
  protected: ["account_suspended", "rate_limited"],
  limited: true,
  webhooks: describeWebhooks,
};
