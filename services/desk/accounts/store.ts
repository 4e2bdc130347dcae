import type { OrderStatus } from "../../domain/order/rules/order.ts";
import { queryRows, type Queryable } from "../../platform/db/transaction.ts";

/** What the desk shows of an account beside its row; instants as Postgres writes them in JSON. */
interface AccountDetail {
  readonly suspended: {
    readonly reason: string;
    readonly at: string;
    readonly operator: { readonly id: string; readonly name: string };
  } | null;
  readonly counts: {
    readonly orders_by_status: readonly { readonly status: OrderStatus; readonly count: number }[];
    readonly open_cases: number;
    readonly numbers: number;
    readonly open_port_outs: number;
    readonly api_keys: number;
    readonly webhook_endpoints: number;
    readonly paused_webhook_endpoints: number;
    readonly waiting_deliveries: number;
  };
}

const DETAIL = `select
    (select jsonb_build_object('reason', coalesce(l.after ->> 'reason', ''), 'at', l.at,
        'operator', jsonb_build_object('id', l.operator_id, 'name', l.operator_name))
      from accounts.audit_log l
      where l.account_id = $1 and l.action = 'account.suspended' and l.operator_id is not null
      order by l.id desc limit 1) as suspended,
    webhooks.account_counts($1) || jsonb_build_object(
      'orders_by_status', (
        select coalesce(jsonb_agg(jsonb_build_object('status', s.status, 'count', s.count) order by s.status), '[]')
        from (select status, count(*) as count from orders.porting_orders
          where account_id = $1 and deleted_at is null group by status) s),
      'open_cases', (select count(*) from reviews.cases where account_id = $1 and state = 'open'),
      'numbers', (select count(*) from orders.numbers where account_id = $1 and status <> 'ported_out'),
      'open_port_outs', (select count(*) from orders.port_outs
        where account_id = $1 and status in ('requested', 'decision_required', 'approved')),
      'api_keys', (select count(*) from accounts.api_keys where account_id = $1 and revoked_at is null)
    ) as counts`;

export async function readAccountDetail(db: Queryable, accountId: string): Promise<AccountDetail> {
  const [row] = await queryRows<AccountDetail>(db, {
    name: "account-detail",
    text: DETAIL,
    values: [accountId],
  });
  if (row === undefined) throw new TypeError("a select without from returns one row");
  return row;
}

/** The names of accounts, by id. */
export async function readAccountNames(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRows<{ id: string; name: string }>(db, {
    name: "account-names",
    text: "select id, name from accounts.accounts where id = any ($1::uuid[])",
    values: [[...new Set(ids)]],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
