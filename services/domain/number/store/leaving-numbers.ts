import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { LeftNumber, NumberRelease } from "../rules/platform-number.ts";
import { addFormerOwners } from "./numbers.ts";

/** The wrong PIN that locks a number, counted over the span before it (docs/contract/customer-api.md, Numbers and port-outs). */
export const LOCKING_WRONG_PIN = 6;
const WRONG_PIN_SPAN = "24 hours";

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

/** The facts about a number that decide a port-out request. */
export interface RequestedNumberRow {
  readonly account_id: string;
  readonly phone_number: string;
  readonly porting_order_id: string | null;
  readonly port_out_lock: boolean;
  readonly port_out_pin_set: boolean;
  /** Set once too many wrong PINs were given for it. */
  readonly pin_locked_until: Date | null;
  readonly in_other_port_out: boolean;
}

/** Locks the numbers among these that any account owns, always in the same order. */
export async function lockOwnedNumbers(
  tx: Queryable,
  phoneNumbers: readonly string[],
): Promise<RequestedNumberRow[]> {
  await queryRows(tx, {
    name: "numbers-lock",
    text: `select phone_number from orders.numbers
      where phone_number = any ($1::text[]) and status <> 'ported_out'
      order by phone_number for update`,
    values: [phoneNumbers],
  });
  return queryRows<RequestedNumberRow>(tx, {
    name: "numbers-requested",
    text: `select n.account_id, n.phone_number, n.porting_order_id, n.port_out_lock,
        n.port_out_pin is not null as port_out_pin_set, n.pin_locked_until,
        exists (select from orders.port_out_numbers o where o.account_id = n.account_id
          and o.phone_number = n.phone_number and o.open) as in_other_port_out
      from orders.numbers n
      where n.phone_number = any ($1::text[]) and n.status <> 'ported_out'
      order by n.phone_number`,
    values: [phoneNumbers],
  });
}

interface NumbersOf {
  readonly accountId: string;
  readonly phoneNumbers: readonly string[];
}

/** Marks an account's numbers as leaving, or as active again; numbers that have left are not changed. */
export async function markNumbers(
  tx: Queryable,
  { accountId, phoneNumbers }: NumbersOf,
  status: "porting_out" | "active",
): Promise<void> {
  await queryRows(tx, {
    name: "numbers-mark",
    text: `update orders.numbers set status = $3
      where account_id = $1 and phone_number = any ($2::text[])
        and status = case $3 when 'active' then 'porting_out' else 'active' end`,
    values: [accountId, phoneNumbers, status],
  });
}

/** Settings go with the account that made them. */
export const SETTINGS_ENDED = `forwarding = null, port_out_lock = false, port_out_pin = null,
  port_out_pin_key_id = null, configuration = '{}'`;

const RELEASE = `with gone as (
    update orders.numbers set status = 'ported_out', event_sequence = event_sequence + 1, released = $4::jsonb,
      ${SETTINGS_ENDED}
    where account_id = $1 and phone_number = any ($2::text[]) and status <> 'ported_out'
    returning account_id, phone_number, porting_order_id, event_sequence, activated_at, provider, country_code,
      number_type
  ), former as (${addFormerOwners("gone", "$3")})
  select account_id, phone_number, porting_order_id, event_sequence, provider, country_code, number_type from gone`;

/** Why numbers left without a port-out, with the desk's own note. */
export type ReleaseRecord = NumberRelease & { readonly note: string };

/**
 * Ends an account's ownership of the numbers and clears their settings; returns the numbers it still owned. `released` is
 * null for those that a carrier takes.
 */
export async function releaseNumbers(
  tx: Queryable,
  { accountId, phoneNumbers }: NumbersOf,
  { now, released = null }: { readonly now: Date; readonly released?: ReleaseRecord | null },
): Promise<LeftNumber[]> {
  return queryRows<LeftNumber>(tx, {
    name: "numbers-release",
    text: RELEASE,
    values: [accountId, phoneNumbers, now, released],
  });
}
