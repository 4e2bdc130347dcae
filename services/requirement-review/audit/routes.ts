import { z } from "zod";
import { idText, listOf, timeText } from "../../platform/http/routing/answer-fields.ts";
import { hasAuditEntry, listAudit, type AuditRow } from "../../domain/account/store/audit-log.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging/paging.ts";
import { GET, type DeskRoute } from "../access/desk-routes.ts";

const changed = z
  .looseObject({})
  .nullable()
  .meta({ description: "Sensitive values are masked", examples: [{ status: "active" }] });

const auditEntryAnswer = z
  .object({
    id: idText(),
    created_at: timeText(),
    actor_type: z.enum(["operator", "customer", "system"]),
    api_key_id: idText("The key by which a customer acted").nullable(),
    operator_id: idText(
      "Null for an action at the command line, and for others' actions",
    ).nullable(),
    operator_name: z
      .string()
      .meta({ description: "customer or system for their actions", examples: ["Ada"] }),
    action: z.string().meta({ examples: ["account.suspended"] }),
    account_id: idText().nullable(),
    porting_order_id: idText().nullable(),
    request_id: z.string().nullable(),
    before: changed,
    after: changed,
  })
  .meta({ id: "AuditEntry" });

interface AuditDeps {
  readonly bus: Pick<Bus, "pool">;
}

/** `/desk/v1/audit`: what operators did and looked at, and what customers did with keys and PINs, newest first. */
export function auditRoutes({ bus: { pool } }: AuditDeps): DeskRoute[] {
  return [
    GET("/desk/v1/audit", "List actions, and looks at sensitive values and documents", {
      answers: { 200: listOf(auditEntryAnswer) },
      query: z.strictObject({
        ...pageQuery,
        operator_id: uuid().optional(),
        action: z.string().optional(),
        account_id: uuid().optional(),
        porting_order_id: uuid().optional(),
      }),
      handle: async (request) => {
        const { query } = request;
        const range = await rangeFrom(query, (id) => hasAuditEntry(pool, id));
        const filter = {
          operatorId: query.operator_id,
          action: query.action,
          accountId: query.account_id,
          portingOrderId: query.porting_order_id,
        };
        const rows = await listAudit(pool, { range, filter });
        return page(request, rows.map(present));
      },
    }),
  ];
}

function present({ at, ...entry }: AuditRow) {
  return { ...entry, created_at: at };
}
