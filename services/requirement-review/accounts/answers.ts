import { z } from "zod";
import { EXAMPLE_API_KEY } from "../../domain/account/rules/api-key.ts";
import { ACCOUNT_STATUSES } from "../../domain/account/store/account-entity.ts";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { personAnswer } from "../operators/person-answer.ts";

export const accountAnswer = z
  .object({
    id: idText(),
    name: z.string().meta({ examples: ["Acme"] }),
    status: z.enum(ACCOUNT_STATUSES),
    created_at: timeText(),
  })
  .meta({ id: "Account" });

export const newAccountAnswer = accountAnswer
  .extend({
    api_key: z
      .string()
      .meta({ description: "The first key, shown once", examples: [EXAMPLE_API_KEY] }),
    webhook_signing_secret: z.string().meta({
      description: "Signs webhooks to orders' own webhook_url, shown once",
      examples: ["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="],
    }),
  })
  .meta({ id: "NewAccount" });

export const accountDetailAnswer = accountAnswer
  .extend({
    suspension: z
      .object({
        reason: z.string().meta({ examples: ["Unpaid invoices"] }),
        at: timeText(),
        operator: personAnswer,
      })
      .nullable()
      .describe("Why, when and by whom it was suspended; null while it is active"),
    counts: z.object({
      orders_by_status: z
        .array(z.object({ status: z.enum(ORDER_STATUSES), count: z.int() }))
        .describe("Its orders; statuses without any are left out"),
      open_cases: z.int().describe("Cases that wait for the desk's decision"),
      numbers: z.int().describe("Numbers on the platform"),
      open_port_outs: z.int().describe("Port-outs that wait for a decision or their completion"),
      api_keys: z.int().describe("Keys that are not revoked"),
      webhook_endpoints: z.int(),
      paused_webhook_endpoints: z.int().describe("Paused by the customer or after failures"),
      waiting_deliveries: z.int().describe("Deliveries not yet made; counted up to 10,000"),
    }),
  })
  .meta({ id: "AccountDetail" });
