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
import {
  pageOf,
  pageQuery,
  pageRows,
  rangeFrom,
  type FilterParameters,
} from "../../platform/http/paging.ts";
import { csvOf } from "../../platform/http/csv.ts";
import type { Reply } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute, type OperatorRequest } from "../access/desk-routes.ts";
import { exportRoute } from "../lists/export-route.ts";
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

const PATH = "/desk/v1/audit";

const listQuery = z.strictObject({ ...pageQuery, ...totalQuery, ...auditFilters });

async function readEntries({ db }: Pick<OperatorRequest, "db">, query: z.output<typeof listQuery>) {
  const range = await rangeFrom(query, (id) => hasAuditEntry(db, id));
  const rows = await listAudit(db, { range, filter: query });
  return pageRows(await nameClaimers(db, rows), query);
}

/** `/desk/v1/audit`: what operators did and looked at, and what customers did with keys and PINs, newest first. */
export function auditRoutes(): DeskRoute[] {
  return [
    viewer.GET(PATH, "List actions, and looks at sensitive values and documents", {
      description: `With \`Accept: text/csv\` the same page as CSV, with a line of column names; there the operator is \
\`operator_id\` and \`operator_name\`.`,
      answers: { 200: countedListOf(auditEntryAnswer) },
      alternatives: [CSV],
      query: listQuery,
      handle: async (request) => {
        const { db, query } = request;
        const { rows, hasMore } = await readEntries(request, query);
        const reply = pageOf(request, { rows: rows.map(present), hasMore });
        if (prefersCsv(request.ctx)) {
          return asCsv(reply, query.ending_before === undefined ? rows : rows.toReversed());
        }
        const all = { range: countedRange(query), filter: query };
        return withTotal(request, reply, () => countAudit(db, all));
      },
    }),
    exportRoute(PATH, {
      name: "audit",
      answer: auditEntryAnswer,
      query: listQuery,
      read: async (request, query) => {
        const { rows, hasMore } = await readEntries(request, query);
        return { rows: rows.map(present), hasMore };
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
