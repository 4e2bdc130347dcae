import type { ApiDescription } from "../../platform/openapi/describe-api.ts";
import { describeWebhooks } from "./describe-webhooks.ts";

/** The general part of the customer API's OpenAPI document. */
export const API_DESCRIPTION: ApiDescription = {
  title: "Number Porting API",
  version: "2.0.0",
  description: `Moves phone numbers from another carrier to the platform.

An order goes from draft through review, the losing carrier and a confirmed FOC date to active numbers; every change
is an event, in a feed and as a webhook. Lists are paginated: \`starting_after\` takes the id of the last object, the
\`Link\` header has the URL of the next page. POST and PATCH accept an \`Idempotency-Key\`. Every error is
\`application/problem+json\` with a stable \`code\`. Fields and event types may be added at any time; existing ones
do not change.`,
  sections: [
    {
      name: "Porting orders",
      description: "Orders, their requirements, letters of authorization and comments.",
      paths: ["/v2/porting_orders"],
    },
    {
      name: "Catalogues",
      description: "What can be ported, what an order requires, and why carriers reject orders.",
      paths: ["/v2/portability_checks", "/v2/porting_requirements", "/v2/porting_exceptions"],
    },
    { name: "Documents", description: "Files that belong to orders.", paths: ["/v2/documents"] },
    {
      name: "Numbers",
      description: "Numbers on the platform, and other carriers' requests to port them out.",
      paths: ["/v2/numbers", "/v2/port_outs"],
    },
    {
      name: "Events",
      description: "Every change to the account's objects, in order.",
      paths: ["/v2/porting/events"],
    },
    {
      name: "Webhooks",
      description: "Endpoints, their signing secrets, and the delivery log.",
      paths: [
        "/v2/webhook_endpoints",
        "/v2/webhook_deliveries",
        "/v2/webhook_recoveries",
        "/v2/webhook_signing_secret",
      ],
    },
    { name: "API keys", description: "The account's API keys.", paths: ["/v2/api_keys"] },
  ],
  key: "An API key, `nps_live_…`. The platform's operators issue the first one.",
  protected: ["account_suspended", "rate_limited"],
  limited: true,
  webhooks: describeWebhooks,
};
