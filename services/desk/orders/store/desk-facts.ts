import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { ORDER_OF_LETTER } from "../../dead-letters/store/order-of-letter.ts";

/** What the desk shows of an order beside the order itself. */
export interface DeskFacts {
  readonly account_name: string;
  /** The oldest of the order's messages that await a replay. */
  readonly dead_letter: {
    readonly consumer: string;
    readonly error_code: string;
    readonly created_at: string;
  } | null;
  /** When its open review was due; null where that is not over. */
  readonly overdue_since: Date | null;
}

type FactsRow = DeskFacts & { readonly id: string };

const READ = `select o.id, a.name as account_name, d.letter as dead_letter, c.due_at as overdue_since
  from orders.porting_orders o
  join accounts.accounts a on a.id = o.account_id
  left join reviews.cases c on c.order_id = o.id and c.state = 'open' and c.due_at < $2
  left join lateral (
    select json_build_object('consumer', d.consumer, 'error_code', d.error_code, 'created_at', d.created_at) as letter
    from messaging.dead_letters d
    where ${ORDER_OF_LETTER} = o.id and d.state = 'parked'
    order by d.created_at limit 1
  ) d on true
  where o.id = any ($1::uuid[])`;

/** Reads the facts of several orders in one statement, by order id. */
export async function readDeskFacts(
  db: Queryable,
  orderIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, DeskFacts>> {
  if (orderIds.length === 0) return new Map();
  const rows = await queryRows<FactsRow>(db, {
    name: "desk-order-facts",
    text: READ,
    values: [orderIds, now],
  });
  return new Map(rows.map(({ id, ...facts }) => [id, facts]));
}
