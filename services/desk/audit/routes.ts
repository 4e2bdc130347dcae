import type { Context } from "koa";
import { z } from "zod";
import {
  countAudit,
  hasAuditEntry,
  listAudit,
  type AuditFilter,
  type AuditRow,
} from "../../domain/account/store/audit-log.ts";
import { countedRange } from "../../platform/db/count-rows.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { page, pageQuery, rangeFrom, type FilterParameters } from "../../platform/http/paging.ts";
import { csvOf } from "../../platform/http/csv.ts";
import type { Reply } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import { countedListOf, totalQuery, withTotal } from "../lists/list-query.ts";
import { auditEntryAnswer } from "./answers.ts";
import { nameClaimers } from "../operators/name-operators.ts";

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

const auditFilters = {
  operator_id: uuid().optional().describe("Actions of this operator"),
  action: z
    .string()
    .optional()
    .meta({ description: "Actions of this kind", examples: ["account.suspended"] }),
  account_id: uuid().optional().describe("Actions that concern this account"),
  porting_order_id: uuid().optional().describe("Actions that concern this order"),
} satisfies FilterParameters<AuditFilter>;

/** `/desk/v1/audit`: what operators did and looked at, and what customers did with keys and PINs, newest first. */
export function auditRoutes(): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/audit", "List actions, and looks at sensitive values and documents", {
      description: `With \`Accept: text/csv\` the same page as CSV, with a line of column names; there the operator is \
\`operator_id\` and \`operator_name\`.`,
      answers: { 200: countedListOf(auditEntryAnswer) },
      alternatives: [CSV],
      query: z.strictObject({ ...pageQuery, ...totalQuery, ...auditFilters }),
      handle: async (request) => {
        const { db, query } = request;
        const range = await rangeFrom(query, (id) => hasAuditEntry(db, id));
        const rows = await listAudit(db, { range, filter: query });
        const named = await nameClaimers(db, rows);
        const reply = page(request, named.map(present));
        if (!prefersCsv(request.ctx)) {
          const all = { range: countedRange(query), filter: query };
          return withTotal(request, reply, () => countAudit(db, all));
        }
        const shown = named.slice(0, query.limit);
        return asCsv(reply, query.ending_before === undefined ? shown : shown.toReversed());
      },
    }),
  ];
}

function present({ at, operator_id: id, ...entry }: AuditRow) {
  const operator = id === null ? null : { id, name: entry.operator_name };
  return { ...entry, created_at: at, operator };
}

function line({ at, ...entry }: AuditRow) {
  return { ...entry, created_at: at };
}

function prefersCsv(ctx: Context): boolean {
  ctx.vary("Accept");
  return ctx.accepts("application/json", CSV) === CSV;
}

function asCsv({ status, headers }: Reply, rows: readonly AuditRow[]): Reply {
  const content = csvOf(CSV_COLUMNS, rows.map(line));
  const disposition = { "Content-Disposition": 'attachment; filename="audit.csv"' };
  return {
    status,
    headers: { ...headers, ...disposition },
    raw: { type: `${CSV}; charset=utf-8; header=present`, content },
  };
}
