import type { DescribedWebhooks } from "../../platform/openapi/describe-api.ts";
import { capitalized } from "../../platform/openapi/operation-id.ts";
import { webhookSchemas } from "./webhook-schemas.ts";
import { exampleEvent } from "../../domain/event/rules/serialize-event.ts";

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
