import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { newId } from "../../../platform/ids.ts";
import { maskValues, type AuditEntry } from "../rules/audit-entry.ts";
import type { IdRange } from "../../../platform/db/id-range.ts";

export interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly operator_id: string | null;
  readonly operator_name: string;
  readonly action: string;
  readonly account_id: string | null;
  readonly porting_order_id: string | null;
  readonly request_id: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

const WRITE = `insert into accounts.audit_log
    (id, at, operator_id, operator_name, action, account_id, porting_order_id, request_id, before, after)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9::jsonb, $10::jsonb)`;

/** Records an action in the transaction of its effect, with sensitive values masked. */
export async function writeAudit(tx: Queryable, entry: AuditEntry): Promise<void> {
  await queryRows(tx, {
    name: "audit-write",
    text: WRITE,
    values: [
      newId(entry.at),
      entry.at,
      entry.operator.id,
      entry.operator.name,
      entry.action,
      entry.accountId ?? null,
      entry.portingOrderId ?? null,
      entry.requestId ?? null,
      toJson(entry.before),
      toJson(entry.after),
    ],
  });
}

function toJson(values: AuditEntry["before"]): string | null {
  return values === undefined || values === null ? null : JSON.stringify(maskValues(values));
}

export interface AuditFilter {
  readonly operatorId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly portingOrderId?: string | undefined;
}

const COLUMNS = `id, at, operator_id, operator_name, action, account_id, porting_order_id,
  request_id, before, after`;
const WHERE = `id > $1 and id < $2
  and ($4::uuid is null or operator_id = $4)
  and ($5::uuid is null or account_id = $5)
  and ($6::uuid is null or porting_order_id = $6)`;

const LIST = {
  asc: `select ${COLUMNS} from accounts.audit_log where ${WHERE} order by id asc limit $3`,
  desc: `select ${COLUMNS} from accounts.audit_log where ${WHERE} order by id desc limit $3`,
};

export interface AuditList {
  readonly range: IdRange;
  readonly filter: AuditFilter;
}

/** Entries in a range of ids that match every given filter, in scan order. */
export async function listAudit(db: Queryable, { range, filter }: AuditList): Promise<AuditRow[]> {
  // Not a named statement, so that each set of filters gets its own plan and index.
  return queryRows(db, {
    text: LIST[range.direction],
    values: [
      range.above,
      range.below,
      range.fetch,
      filter.operatorId ?? null,
      filter.accountId ?? null,
      filter.portingOrderId ?? null,
    ],
  });
}

export async function hasAuditEntry(db: Queryable, id: string): Promise<boolean> {
  const text = "select id from accounts.audit_log where id = $1";
  return (await queryRows(db, { text, values: [id] })).length === 1;
}
