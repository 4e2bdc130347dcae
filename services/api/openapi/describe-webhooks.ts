import { webhookSchemas } from "./webhook-schemas.ts";
import { exampleEvent } from "../webhooks/sample-event.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

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

/** The `webhooks` of the OpenAPI document: the request sent for each event type, with an example. */
export function describeWebhooks(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    webhookSchemas().map(({ type, summary, schema }) => {
      const example = exampleEvent(type);
      const post = {
        operationId: `send_${type.replace(".", "_")}`,
        summary,
        tags: ["Webhooks"],
        security: [],
        parameters: HEADERS.map(([name, description]) => {
          return { name, in: "header", required: true, description, schema: { type: "string" } };
        }),
        requestBody: { required: true, content: { "application/json": { schema, example } } },
        responses: {
          "2XX": { description: "Received" },
          default: { description: "Any other response is retried according to the retry schedule" },
        },
      };
      return [type, { post }];
    }),
  );
}
