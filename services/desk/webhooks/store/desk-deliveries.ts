import type { IdRange } from "../../../platform/db/id-range.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { PageRows } from "../../../platform/http/paging.ts";
import type { Delivery } from "../../../domain/webhook/rules/delivery.ts";
import {
  findDelivery,
  listDeliveries,
  type DeliveryFilter,
} from "../../../domain/webhook/store/deliveries.ts";

export interface AccountOf {
  readonly account: { readonly id: string; readonly name: string };
}

export type DeskDelivery = Delivery & AccountOf;

export interface DeskDeliveryList {
  readonly range: IdRange;
  readonly filter: DeliveryFilter & { readonly account_id?: string | undefined };
}

/** The indexes of deliveries begin with the account, so an endpoint or an order is looked up for its own. */
const ACCOUNT_OF = `select account_id from webhooks.endpoints where id = $1::uuid
  union all select account_id from orders.porting_orders where id = $2::uuid`;

async function accountOf(db: Queryable, { filter }: DeskDeliveryList): Promise<string | null> {
  const { account_id, webhook_endpoint_id: endpoint, porting_order_id: order } = filter;
  if (account_id !== undefined) return account_id;
  if (endpoint === undefined && order === undefined) return null;
  const [row] = await queryRows<{ account_id: string }>(db, {
    text: ACCOUNT_OF,
    values: [endpoint ?? null, order ?? null],
  });
  return row?.account_id ?? null;
}

/** Deliveries of all accounts in a range of ids that match every given filter, in scan order. */
export async function listDeskDeliveries(
  db: Queryable,
  list: DeskDeliveryList,
): Promise<PageRows<DeskDelivery>> {
  const accountId = await accountOf(db, list);
  const { range, filter } = list;
  const { rows, hasMore } = await listDeliveries(db, { accountId, range, filter });
  return { rows: await withAccounts(db, rows), hasMore };
}

/** A delivery of any account. @throws `not_found` */
export async function findDeskDelivery(db: Queryable, id: string): Promise<DeskDelivery> {
  const found = await withAccounts(db, [await findDelivery(db, null, id)]);
  const [delivery] = found;
  if (delivery === undefined) throw new TypeError("A delivery's account is not there.");
  return delivery;
}

const ACCOUNTS = `select d.id, a.id as account_id, a.name
  from unnest($1::uuid[]) u (id)
  join webhooks.deliveries d on d.id = u.id and d.created_at = messaging.time_of(u.id)
  join accounts.accounts a on a.id = d.account_id`;

async function withAccounts(
  db: Queryable,
  deliveries: readonly Delivery[],
): Promise<DeskDelivery[]> {
  if (deliveries.length === 0) return [];
  const rows = await queryRows<{ id: string; account_id: string; name: string }>(db, {
    name: "desk-delivery-accounts",
    text: ACCOUNTS,
    values: [deliveries.map(({ id }) => id)],
  });
  const accounts = new Map(rows.map((one) => [one.id, { id: one.account_id, name: one.name }]));
  return deliveries.flatMap((one) => {
    const account = accounts.get(one.id);
    return account === undefined ? [] : [{ ...one, account }];
  });
}
