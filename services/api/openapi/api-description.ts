import type { ApiDescription } from "../../platform/openapi/describe-api.ts";
import { describeWebhooks } from "./describe-webhooks.ts";

/** What the OpenAPI document of the customers' API says of it as a whole. */
export const API_DESCRIPTION: ApiDescription = {
  title: "Number Porting API",
  version: "2.0.0",
  description: `Moves phone numbers from another carrier to the platform.

An order goes from a draft over review, the carrier and a confirmed date to live numbers; every change is an event,
in a feed and as a webhook. Lists are pages: \`starting_after\` takes the id of the last object, \`Link\` has the
address of the next page. POST and PATCH take an \`Idempotency-Key\`. Every refusal is \`application/problem+json\`
with a stable \`code\`. New fields and new event types may come at any time; nothing that is here changes.`,
  sections: [
    {
      name: "Porting orders",
      description: "Orders, their requirements, letters of authorization and comments.",
      paths: ["/v2/porting_orders"],
    },
    {
      name: "Catalogues",
      description: "What can be ported, what an order asks for, and why carriers refuse.",
      paths: ["/v2/portability_checks", "/v2/porting_requirements", "/v2/porting_exceptions"],
    },
    { name: "Documents", description: "Files of orders.", paths: ["/v2/documents"] },
    {
      name: "Numbers",
      description: "Numbers on the platform, and requests to take them away.",
      paths: ["/v2/numbers", "/v2/port_outs"],
    },
    { name: "Events", description: "Every change, in order.", paths: ["/v2/porting/events"] },
    {
      name: "Webhooks",
      description: "Endpoints, their secrets, and the log of what was sent.",
      paths: [
        "/v2/webhook_endpoints",
        "/v2/webhook_deliveries",
        "/v2/webhook_recoveries",
        "/v2/webhook_signing_secret",
      ],
    },
    { name: "API keys", description: "Keys of the account.", paths: ["/v2/api_keys"] },
  ],
  key: "An API key, `nps_live_…`. The platform's operators issue the first one.",
  protected: ["account_suspended", "rate_limited"],
  limited: true,
  webhooks: describeWebhooks,
};
