import { PLATFORM_PROVIDER } from "../../../messages/platform-provider.ts";
import { queryRows } from "../../../platform/db/transaction.ts";
import { writeOutbox } from "../../../platform/outbox/outbox.ts";
import { forwardingRequest, type Hosted } from "../../number/rules/forwarding.ts";
import { portedOutMessage, type LeftNumber } from "../../number/rules/platform-number.ts";
import { SETTINGS_ENDED } from "../../number/store/leaving-numbers.ts";
import { addFormerOwners } from "../../number/store/numbers.ts";
import { AGREED_PORT_OUT_STATUSES } from "../../port-out/rules/port-out-transitions.ts";
import { rejectPortOutsOf } from "../../port-out/store/port-out-commands.ts";
import type { OrderDecision } from "../rules/order-decision.ts";
import type { MessageWriter } from "../../../messages/bus/outgoing.ts";

/**
 * A number has one owner: when it activates here, its record and settings at another account end. The port-out that
 * this account had agreed to may be completed a moment later. Port-outs are locked before numbers, as by who decides one.
 */
const LOSE = `with asked as materialized (
    select p.id from orders.port_outs p
    where p.id in (select n.port_out_id from orders.port_out_numbers n
      where n.phone_number = any ($2::text[]) and n.open and n.account_id <> $1)
    order by p.id for update
  ), owned as (
    select account_id, phone_number from orders.numbers
    where phone_number = any ($2::text[]) and account_id <> $1 and status <> 'ported_out'
      and (select count(*) from asked) >= 0
    order by phone_number for update
  ), agreed as (
    select distinct on (h.phone_number) h.phone_number, p.id as port_out_id, p.gaining_carrier
    from owned h
      join orders.port_out_numbers n on n.phone_number = h.phone_number and n.open
      join orders.port_outs p on p.id = n.port_out_id and p.account_id = h.account_id
    where p.status = any ($4::text[])
    order by h.phone_number, p.id desc
  ), lost as (
    update orders.numbers n set status = 'ported_out', event_sequence = n.event_sequence + 1,
      ${SETTINGS_ENDED}
    from owned where n.account_id = owned.account_id and n.phone_number = owned.phone_number
    returning n.account_id, n.phone_number, n.porting_order_id, n.event_sequence, n.activated_at, n.provider,
      n.country_code, n.number_type
  ), former as (${addFormerOwners("lost", "$3")})
  select l.account_id, l.phone_number, l.porting_order_id, l.event_sequence, l.provider, l.country_code,
    l.number_type, a.port_out_id, a.gaining_carrier
  from lost l left join agreed a using (phone_number)`;

/** The provider of the carrier that hosts a number; one that only changes accounts stays where it is. */
const HOST = `case when $4 <> '${PLATFORM_PROVIDER}' then $4 else coalesce(
    (select o.provider from orders.numbers o where o.phone_number = u.phone_number and o.account_id <> $1
      order by o.activated_at desc limit 1), $4) end`;

/** With the settings that wait for it. A number that returns to an account reuses its old record; its event sequence continues. */
const REGISTER = `with configured as (
    select n.phone_number, n.port_out_pin, n.port_out_pin_key_id,
      coalesce(o.number_configuration -> 'default', '{}')
        || coalesce(o.number_configuration -> 'numbers' -> n.phone_number, '{}') as settings
    from orders.order_numbers n join orders.porting_orders o on o.id = n.order_id
    where n.order_id = $5 and n.phone_number = any ($6::text[])
  ), handed_over as (
    update orders.order_numbers set port_out_pin = null, port_out_pin_key_id = null
    where order_id = $5 and phone_number = any ($6::text[]) and port_out_pin is not null
  )
  insert into orders.numbers
    (account_id, phone_number, status, country_code, number_type, provider, porting_order_id, activated_at,
      event_sequence, forwarding, port_out_lock, port_out_pin, port_out_pin_key_id, configuration)
  select $1, u.phone_number, 'active', $2, $3, ${HOST}, $5, u.activated_at,
    coalesce((select max(event_sequence) from orders.numbers o where o.phone_number = u.phone_number), 0),
    nullif(c.settings -> 'forwarding', 'null'), coalesce((c.settings ->> 'port_out_lock')::boolean, false),
    c.port_out_pin, c.port_out_pin_key_id,
    coalesce(c.settings, '{}') - '{forwarding,port_out_lock,port_out_pin_set}'::text[]
  from unnest($6::text[], $7::timestamptz[]) u (phone_number, activated_at)
  left join configured c on c.phone_number = u.phone_number
  on conflict (account_id, phone_number) do update set status = 'active', country_code = excluded.country_code,
    number_type = excluded.number_type, provider = excluded.provider,
    porting_order_id = excluded.porting_order_id, activated_at = excluded.activated_at,
    event_sequence = excluded.event_sequence, released = null,
    forwarding = coalesce(excluded.forwarding, numbers.forwarding),
    port_out_lock = excluded.port_out_lock or numbers.port_out_lock,
    port_out_pin = coalesce(excluded.port_out_pin, numbers.port_out_pin),
    port_out_pin_key_id = coalesce(excluded.port_out_pin_key_id, numbers.port_out_pin_key_id),
    configuration = numbers.configuration || excluded.configuration
  returning phone_number, provider, forwarding is not null as is_forwarded`;

type Registered = Hosted & { readonly is_forwarded: boolean };

/** Null where the number was taken over without one. */
interface AgreedPortOut {
  readonly port_out_id: string | null;
  readonly gaining_carrier: string | null;
}

/** Registers the numbers that a decision made active, in the decision's transaction. */
export async function registerActiveNumbers(
  writer: MessageWriter,
  { order, effects }: OrderDecision,
  now: Date,
): Promise<void> {
  const active = effects.filter((effect) => effect.effect === "number_active");
  if (active.length === 0) return;
  const numbers = active.map((effect) => effect.phone_number);
  const lost = await queryRows<LeftNumber & AgreedPortOut>(writer.tx, {
    name: "number-lose",
    text: LOSE,
    values: [order.account_id, numbers, now, AGREED_PORT_OUT_STATUSES],
  });
  const registered = await queryRows<Registered>(writer.tx, {
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
  await rejectPortOutsOf(writer, lost, { now });
  const left = lost.map(({ port_out_id, gaining_carrier, ...number }) => {
    const departure = { number, port_out_id, gaining_carrier, at: now, occurred_at: null };
    return portedOutMessage(writer, departure, now);
  });
  const changesAccounts = order.provider === PLATFORM_PROVIDER;
  const asked = registered.filter((number) => changesAccounts || number.is_forwarded);
  await writeOutbox(writer.tx, [...left, ...forwardingRequests(writer, asked, now)]);
}

/**
 * Of numbers that are configured to be forwarded, and of those that only changed accounts: they stay with their carriers,
 * which would forward their calls for the earlier account. Whether it had forwarding, nobody may know any more.
 */
function forwardingRequests(writer: MessageWriter, asked: readonly Hosted[], now: Date) {
  return asked
    .filter(({ provider }) => provider !== PLATFORM_PROVIDER)
    .map((number) => forwardingRequest(writer, number, now));
}
