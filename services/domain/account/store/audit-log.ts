import { conditionsOf, type FilterConditions } from "../../../platform/db/filter-conditions.ts";
import {
  boundValues,
  insertInto,
  recordset,
  recordsetValue,
  type Columns,
} from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { newId } from "../../../platform/ids.ts";
import { actorOf, maskValues, type AuditActorType, type AuditEntry } from "../rules/audit-entry.ts";
import {
  countRows,
  pageText,
  type PageStatement,
  type Total,
} from "../../../platform/db/count-rows.ts";
import type { IdRange } from "../../../platform/db/id-range.ts";

export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly actor_type: AuditActorType;
  readonly api_key_id: string | null;
  readonly operator_id: string | null;
  readonly operator_name: string;
  readonly action: string;
  readonly account_id: string | null;
  readonly porting_order_id: string | null;
  readonly request_id: string | null;
  readonly before: AuditedValues | null;
  readonly after: AuditedValues | null;
  readonly account: { readonly id: string; readonly name: string } | null;
}

/** What an action changed; sensitive values are masked. */
export type AuditedValues = Readonly<Record<string, unknown>>;

const ENTRY = {
  id: "uuid",
  at: "timestamptz",
  actor_type: "text",
  api_key_id: "uuid",
  operator_id: "uuid",
  operator_name: "text",
  action: "text",
  account_id: "uuid",
  porting_order_id: "uuid",
  request_id: "text",
  before: "jsonb",
  after: "jsonb",
} as const satisfies Columns;

const WRITE = insertInto("accounts.audit_log", ENTRY, recordset("$1", ENTRY));

/** Records an action in the transaction of its effect, with sensitive values masked. */
export async function writeAudit(tx: Queryable, entry: AuditEntry): Promise<void> {
  const actor = actorOf(entry);
  const row = {
    id: newId(entry.at),
    at: entry.at,
    actor_type: actor.type,
    api_key_id: actor.apiKeyId ?? null,
    operator_id: actor.operatorId ?? null,
    operator_name: actor.name,
    action: entry.action,
    account_id: entry.accountId ?? null,
    porting_order_id: entry.portingOrderId ?? null,
    request_id: entry.requestId ?? null,
    before: masked(entry.before),
    after: masked(entry.after),
  };
  await queryRows(tx, {
    name: "audit-write",
    text: WRITE,
    values: [recordsetValue(ENTRY, [row])],
  });
}

function masked(values: AuditEntry["before"]) {
  return values === undefined || values === null ? null : maskValues(values);
}

export interface AuditFilter {
  readonly operator_id?: string | undefined;
  readonly action?: string | undefined;
  readonly account_id?: string | undefined;
  readonly porting_order_id?: string | undefined;
}

const CONDITIONS = {
  operator_id: (at: string) => `operator_id = ${at}`,
  action: (at: string) => `action = ${at}`,
  account_id: (at: string) => `account_id = ${at}`,
  porting_order_id: (at: string) => `porting_order_id = ${at}`,
} as const satisfies FilterConditions<AuditFilter>;

const COLUMNS = `id, at, actor_type, api_key_id, operator_id, operator_name, action, account_id, porting_order_id,
  request_id, before, after, (select json_build_object('id', a.id, 'name', a.name) from accounts.accounts a
    where a.id = account_id) as account`;

interface AuditList {
  readonly range: IdRange;
  readonly filter: AuditFilter;
}

function pageOf({ range, filter }: AuditList): PageStatement {
  const { values, bind } = boundValues(range.above, range.below, range.fetch);
  const conditions = conditionsOf<AuditFilter>(CONDITIONS, filter, bind);
  const rows = `select ${COLUMNS} from accounts.audit_log
      where ${["id > $1", "id < $2", ...conditions].join(" and ")}`;
  return { rows, order: `id ${range.direction}`, limit: "$3", values };
}

/** Entries in a range of ids that match every given filter, in scan order. */
export async function listAudit(db: Queryable, list: AuditList): Promise<AuditRow[]> {
  const page = pageOf(list);
  return queryRows(db, { text: pageText(page), values: page.values });
}

export async function countAudit(db: Queryable, list: AuditList): Promise<Total> {
  return countRows(db, pageOf(list));
}

export async function hasAuditEntry(db: Queryable, id: string): Promise<boolean> {
  const text = "select id from accounts.audit_log where id = $1";
  return (await queryRows(db, { text, values: [id] })).length === 1;
}
