import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { NumbersOf } from "./leaving-numbers.ts";

/** The wrong PIN that locks a number, counted over the span before it (docs/contract/customer-api.md, Numbers and port-outs). */
export const LOCKING_WRONG_PIN = 6;
export const WRONG_PIN_SPAN = "24 hours";

const COUNT = `with counted as (
    select account_id, phone_number, array(select at from unnest(wrong_pins) at
      where at > $3::timestamptz - interval '${WRONG_PIN_SPAN}' order by at) || $3::timestamptz as recent
    from orders.numbers
    where account_id = $1 and phone_number = any ($2::text[]) and port_out_pin is not null
  )
  update orders.numbers n set wrong_pins = c.recent, pin_locked_until =
    case when cardinality(c.recent) >= ${LOCKING_WRONG_PIN} then $3::timestamptz + interval '${WRONG_PIN_SPAN}' end
  from counted c where n.account_id = c.account_id and n.phone_number = c.phone_number
  returning n.phone_number, n.pin_locked_until`;

export interface PinLock {
  readonly phone_number: string;
  readonly pin_locked_until: Date;
}

/**
 * Counts a wrong PIN for those of an account's numbers that have one, which the caller has locked. Returns the numbers
 * that it locks against port-outs: every PIN is refused until then, so that no more than these can be tried in the span.
 */
export async function countWrongPin(
  tx: Queryable,
  { accountId, phoneNumbers }: NumbersOf,
  now: Date,
): Promise<PinLock[]> {
  const rows = await queryRows<{ phone_number: string; pin_locked_until: Date | null }>(tx, {
    name: "wrong-pin-count",
    text: COUNT,
    values: [accountId, phoneNumbers, now],
  });
  return rows.flatMap(({ phone_number, pin_locked_until }) =>
    pin_locked_until === null ? [] : [{ phone_number, pin_locked_until }],
  );
}
