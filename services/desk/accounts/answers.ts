import { z } from "zod";
import { EXAMPLE_API_KEY } from "../../domain/account/rules/api-key.ts";
import { ACCOUNT_STATUSES } from "../../domain/account/store/accounts.ts";
import type { CustomerNotice } from "../../domain/notice/rules/notice-kinds.ts";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { personAnswer } from "../operators/answers.ts";

/** The account that an object belongs to, as lists of all accounts show it. */
export const accountReference = z
  .object({
    id: idText("The account's id"),
    name: z.string().meta({ description: "The account's name", examples: ["Acme"] }),
  })
  .meta({ id: "AccountReference", description: "The account that an object belongs to" });

/** How many orders have a status. */
export const statusCount = z.object({
  status: z.enum(ORDER_STATUSES).describe("The orders' present status"),
  count: z.int().describe("How many orders have it"),
});

const accountStatus = z
  .enum(ACCOUNT_STATUSES)
  .describe("`suspended`: its requests are answered 403 and its webhooks wait");

export const accountAnswer = z
  .object({
    id: idText("The account's id"),
    name: z.string().meta({
      description: "The customer's name, as the desk gave it; the portal shows it",
      examples: ["Acme"],
    }),
    status: accountStatus,
    created_at: timeText("When the desk created it"),
  })
  .meta({ id: "Account", description: "A customer's account" });

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
  .meta({ id: "NewAccount", description: "A new account with what is shown only once" });

export const accountDetailAnswer = accountAnswer
  .extend({
    suspension: z
      .object({
        reason: z.string().meta({
          description: "Why, in the operator's words; no customer sees it",
          examples: ["Unpaid invoices"],
        }),
        at: timeText("When it was suspended"),
        operator: personAnswer,
      })
      .nullable()
      .describe("Why, when and by whom it was suspended; null while it is active"),
    counts: z
      .object({
        orders_by_status: z
          .array(statusCount)
          .describe("Its orders; statuses without any are left out"),
        open_cases: z.int().describe("Cases that wait for the desk's decision"),
        numbers: z.int().describe("Numbers on the platform"),
        open_port_outs: z.int().describe("Port-outs that wait for a decision or their completion"),
        api_keys: z.int().describe("Keys that are not revoked"),
        webhook_endpoints: z.int().describe("Endpoints, paused ones included"),
        paused_webhook_endpoints: z.int().describe("Paused by the customer or after failures"),
        waiting_deliveries: z.int().describe("Deliveries not yet made; counted up to 10,000"),
      })
      .describe("What the account has now"),
  })
  .meta({
    id: "AccountDetail",
    description: "An account with what it has and why it is suspended",
  });

const ABOUT: Readonly<Record<CustomerNotice, string>> = {
  fix_needed: "An order was rejected and has to be corrected",
  date_confirmed: "A port date was confirmed or changed",
  numbers_live: "An order's numbers are live",
  port_out_decision: "A port-out waits for the customer's decision",
  endpoint_paused: "A webhook endpoint was paused after days of failures",
};

/** Whether each kind is sent, in answers and in bodies. */
export const noticeKinds = z.strictObject({
  fix_needed: z.boolean().describe(ABOUT.fix_needed),
  date_confirmed: z.boolean().describe(ABOUT.date_confirmed),
  numbers_live: z.boolean().describe(ABOUT.numbers_live),
  port_out_decision: z.boolean().describe(ABOUT.port_out_decision),
  endpoint_paused: z.boolean().describe(ABOUT.endpoint_paused),
} satisfies Record<CustomerNotice, z.ZodType>);

export const noticeSettingsAnswer = z
  .object({
    emails: z.array(z.string().meta({ examples: ["porting@example.com"] })).meta({
      description: "Who gets the account's notices by mail; empty: nobody",
      examples: [["porting@example.com"]],
    }),
    kinds: noticeKinds.describe("What they get a mail about"),
  })
  .meta({ id: "NoticeSettings", description: "An account's notices by mail" });
