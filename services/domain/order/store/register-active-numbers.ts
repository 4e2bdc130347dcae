import { queryRows } from "../../../platform/db/transaction.ts";
import { writeOutbox } from "../../../platform/outbox/outbox.ts";
import { portedOutMessage, type LeftNumber } from "../../number/rules/ported-out-message.ts";
import { keepFormerOwners } from "../../number/store/number-owners.ts";
import type { OrderDecision } from "../rules/order-decision.ts";
import type { MessageWriter } from "../../../messages/bus/outgoing.ts";

/** A number has one owner: when it activates here, its record and settings at another account end. */
const LOSE = `with held as (
    select account_id, phone_number from orders.numbers
    where phone_number = any ($2::text[]) and account_id <> $1 and status <> 'ported_out'
    order by phone_number for update
  ), lost as (
    update orders.numbers n set status = 'ported_out', event_sequence = n.event_sequence + 1,
      forwarding = null, port_out_lock = false, port_out_pin = null, port_out_pin_key_id = null
    from held where n.account_id = held.account_id and n.phone_number = held.phone_number
    returning n.account_id, n.phone_number, n.porting_order_id, n.event_sequence, n.activated_at
  ), kept as (${keepFormerOwners("lost", "$3")})
  select account_id, phone_number, porting_order_id, event_sequence from lost`;

/** A number that returns to an account reuses its old record; its event sequence continues. */
const REGISTER = `insert into orders.numbers
    (account_id, phone_number, status, country_code, number_type, provider, porting_order_id, activated_at,
      event_sequence)
  select $1, u.phone_number, 'active', $2, $3, $4, $5, u.activated_at,
    coalesce((select max(event_sequence) from orders.numbers o where o.phone_number = u.phone_number), 0)
  from unnest($6::text[], $7::timestamptz[]) u (phone_number, activated_at)
  on conflict (account_id, phone_number) do update set status = 'active', country_code = excluded.country_code,
    number_type = excluded.number_type, provider = excluded.provider,
    porting_order_id = excluded.porting_order_id, activated_at = excluded.activated_at,
    event_sequence = excluded.event_sequence`;

/** Registers the numbers that a decision made active, in the decision's transaction. */
export async function registerActiveNumbers(
  writer: MessageWriter,
  { order, effects }: OrderDecision,
  now: Date,
): Promise<void> {
  const active = effects.filter((effect) => effect.effect === "number_active");
  if (active.length === 0) return;
  const numbers = active.map((effect) => effect.phone_number);
  const lost = await queryRows<LeftNumber>(writer.tx, {
    name: "number-lose",
    text: LOSE,
    values: [order.account_id, numbers, now],
  });
  await queryRows(writer.tx, {
    name: "number-register",
    text: REGISTER,
    values: [
      order.account_id,
      order.country_code,
      order.number_type,
      order.provider,
      order.id,
      numbers,
      active.map((effect) => effect.activated_at),
    ],
  });
  const takenOver = { port_out_id: null, gaining_carrier: null, at: now };
  await writeOutbox(
    writer.tx,
    lost.map((number) => portedOutMessage(writer, { number, ...takenOver }, now)),
  );
}
