import { z } from "zod";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { personAnswer } from "../operators/person-answer.ts";

const changed = z
  .looseObject({})
  .nullable()
  .meta({ description: "Sensitive values are masked", examples: [{ status: "active" }] });

/** One entry of the audit log (docs/contract/desk-api.md, GET /audit). */
export const auditEntryAnswer = z
  .object({
    id: idText(),
    created_at: timeText(),
    actor_type: z.enum(["operator", "customer", "system"]),
    operator: personAnswer.nullable().meta({
      description:
        "Who acted, with the name of that time; null at the command line, and for customers and the system",
    }),
    operator_name: z.string().meta({
      description:
        "The operator's name, `command line`, or `customer` or `system` for their actions",
      examples: ["Ada Byron"],
    }),
    api_key_id: idText("The key by which a customer acted").nullable(),
    action: z.string().meta({
      description: "`<subject>.<what happened>`",
      examples: ["account.suspended"],
    }),
    account_id: idText().nullable(),
    porting_order_id: idText().nullable(),
    request_id: z.string().nullable(),
    before: changed,
    after: changed,
  })
  .meta({ id: "AuditEntry" });
