import { newId } from "../../../services/platform/ids.ts";
import type { Queryable } from "../../../services/platform/db/transaction.ts";

/** Columns of an order that differ from those of a new draft in the US. */
export interface StoredOrder {
  readonly account_id?: string;
  readonly status?: string;
  readonly provider?: string;
  readonly country_code?: string;
  readonly number_type?: string;
  readonly losing_carrier?: string | null;
  readonly foc_actual?: string | null;
}

let stored = 0;

/** Writes an order of one number to the tables, for tests of what reads them; returns its id. */
export async function storeOrder(database: Queryable, fields: StoredOrder = {}): Promise<string> {
  const id = newId(new Date());
  stored += 1;
  const phone_number = `+1212${5_550_000 + stored}`;
  const { account_id = id, status = "draft", country_code = "US", number_type = "local" } = fields;
  const { losing_carrier = null, foc_actual = null, provider = "sandbox" } = fields;
  await database.query({
    text: `insert into orders.requirement_profiles (id, items) values (orders.requirement_profile_id('[]'), '[]')
      on conflict do nothing`,
  });
  await database.query({
    text: `insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code, number_type,
        losing_carrier, foc_actual, created_at, updated_at, requirement_profile_id)
      values ($1, $2, $1, $3, $8, $4, $5, $6, $7, now(), now(), orders.requirement_profile_id('[]'))`,
    values: [
      id,
      account_id,
      status,
      country_code,
      number_type,
      losing_carrier,
      foc_actual,
      provider,
    ],
  });
  await database.query({
    text: `insert into orders.order_numbers (order_id, position, account_id, phone_number) values ($1, 1, $2, $3)`,
    values: [id, account_id, phone_number],
  });
  return id;
}
