import { z } from "zod";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { accountReference } from "../accounts/answers.ts";
import { personAnswer } from "../operators/answers.ts";

const changed = z
  .looseObject({})
  .nullable()
  .meta({ description: "Sensitive values are masked", examples: [{ status: "active" }] });

/** One entry of the audit log (docs/contract/desk-api.md, GET /audit). */
export const auditEntryAnswer = z
  .object({
    id: idText("The entry's id"),
    created_at: timeText("When it was done"),
    actor_type: z
      .enum(["operator", "customer", "system"])
      .describe("`operator` also for the command line, `customer` also for the portal"),
    operator: personAnswer.nullable().meta({
      description:
        "Who acted, with the name of that time; null at the command line, and for customers and the system",
    }),
    operator_name: z.string().meta({
      description:
        "The operator's name, `command line`, or `customer`, `portal` or `system` for their actions",
      examples: ["Ada Byron"],
    }),
    api_key_id: idText("The key by which a customer acted").nullable(),
    action: z.string().meta({
      description: "`<subject>.<what happened>`",
      examples: ["account.suspended"],
    }),
    account_id: idText("The account that it concerns; null for none").nullable(),
    account: accountReference.nullable().describe("That account, with its name of today"),
    porting_order_id: idText("The order that it concerns; null for none").nullable(),
    request_id: z
      .string()
      .nullable()
      .meta({ description: "The `Request-Id` of the request that did it; null without one" }),
    before: changed,
    after: changed,
  })
  .meta({ id: "AuditEntry", description: "One action, or one look at what is sensitive" });
