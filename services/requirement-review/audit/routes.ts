import type { Context } from "koa";
import { z } from "zod";
import { idText, listOf, timeText } from "../../platform/http/routing/answer-fields.ts";
import { hasAuditEntry, listAudit, type AuditRow } from "../../domain/account/store/audit-log.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom } from "../../platform/http/paging/paging.ts";
import { csvOf } from "../../platform/http/csv.ts";
import type { Reply } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";

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

const CSV = "text/csv";
const CSV_COLUMNS = [
  "id",
  "created_at",
  "actor_type",
  "api_key_id",
  "operator_id",
  "operator_name",
  "action",
  "account_id",
  "porting_order_id",
  "request_id",
  "before",
  "after",
] as const;

interface AuditDeps {
  readonly bus: Pick<Bus, "pool">;
}

/** `/desk/v1/audit`: what operators did and looked at, and what customers did with keys and PINs, newest first. */
export function auditRoutes({ bus: { pool } }: AuditDeps): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/audit", "List actions, and looks at sensitive values and documents", {
      description: "With `Accept: text/csv` the same page as CSV, with a line of column names.",
      answers: { 200: listOf(auditEntryAnswer) },
      alternatives: [CSV],
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
        const reply = page(request, rows.map(present));
        if (!prefersCsv(request.ctx)) return reply;
        const shown = rows.slice(0, query.limit);
        return asCsv(reply, query.ending_before === undefined ? shown : shown.toReversed());
      },
    }),
  ];
}

function present({ at, ...entry }: AuditRow) {
  return { ...entry, created_at: at };
}

function prefersCsv(ctx: Context): boolean {
  ctx.vary("Accept");
  return ctx.accepts("application/json", CSV) === CSV;
}

function asCsv({ status, headers }: Reply, rows: readonly AuditRow[]): Reply {
  const content = csvOf(CSV_COLUMNS, rows.map(present));
  const disposition = { "Content-Disposition": 'attachment; filename="audit.csv"' };
  return {
    status,
    headers: { ...headers, ...disposition },
    raw: { type: `${CSV}; charset=utf-8; header=present`, content },
  };
}
