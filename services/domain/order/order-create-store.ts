import type { MessageContext } from "../../messages/outgoing.ts";
import { constraintOf } from "../../platform/db/database-fault.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { newIds } from "../../platform/ids.ts";
import { outboxColumns, outboxInsert } from "../../platform/outbox/outbox.ts";
import { creationEffects } from "./create-order.ts";
import type { DecisionContext, Effect } from "./effects.ts";
import type { Order } from "./order.ts";
import { orderMessages } from "./order-messages.ts";

const NUMBER_TAKEN = "order_numbers_one_live";

export interface OrderBatch {
  readonly orders: readonly Order[];
  /** The numbers as the request named them, which faults point into. */
  readonly requested: readonly string[];
}

/** One statement, one round trip: nothing is written where a number is active on the account already. */
const CREATE = `with taken as (
    select phone_number from orders.numbers
    where account_id = $1 and phone_number = any ($2::text[]) and status <> 'ported_out'
  ), free as (select 1 where not exists (select from taken)
  ), created as (
    insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code, number_type,
      losing_carrier, customer_reference, webhook_url, requirements_status, foc_requested, event_sequence,
      created_at, updated_at)
    select u.id, $1, $3, u.status, u.provider, u.country_code, u.number_type, u.losing_carrier,
      u.customer_reference, u.webhook_url, u.requirements_status, u.foc_requested, u.event_sequence, $4, $4
    from unnest($5::uuid[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
        $13::boolean[], $14::text[], $15::integer[])
      u (id, status, provider, country_code, number_type, losing_carrier, customer_reference, webhook_url,
        requirements_status, foc_requested, event_sequence), free
  ), numbered as (
    insert into orders.order_numbers (order_id, position, account_id, phone_number)
    select u.order_id, u.nth, $1, u.phone_number
    from unnest($16::uuid[], $2::text[]) with ordinality u (order_id, phone_number, nth), free
  ), asked as (
    insert into orders.requirements (order_id, position, slug, field_type, mandatory, max_age_days)
    select u.order_id, u.position, u.slug, u.field_type, u.mandatory, u.max_age_days
    from unnest($22::uuid[], $23::smallint[], $24::text[], $25::text[], $26::boolean[], $27::integer[])
      u (order_id, position, slug, field_type, mandatory, max_age_days), free
  ), waiting as (
    insert into orders.deadlines (kind, subject_id, since)
    select 'draft_expiry', u.id::text, $4 from unnest($5::uuid[]) u (id), free
  ), told as (
    insert into orders.timeline (id, order_id, account_id, at, kind, actor, data)
    select u.id, u.order_id, $1, $4, u.kind, $17::jsonb, u.data
    from unnest($18::uuid[], $19::uuid[], $20::text[], $21::jsonb[]) u (id, order_id, kind, data), free
  ), directed as (
    insert into webhooks.order_destinations (order_id, account_id, url)
    select u.id, $1, u.url from unnest($5::uuid[], $12::text[]) u (id, url), free where u.url is not null
  ), sent as (
    ${outboxInsert(28, "exists (select from free)")}
  )
  select phone_number from taken`;

function orderColumns(orders: readonly Order[], sequences: readonly number[]): unknown[] {
  return [
    orders.map((order) => order.id),
    orders.map((order) => order.status),
    orders.map((order) => order.provider),
    orders.map((order) => order.country_code),
    orders.map((order) => order.number_type),
    orders.map((order) => order.losing_carrier),
    orders.map((order) => order.customer_reference),
    orders.map((order) => order.webhook_url),
    orders.map((order) => order.requirements_status),
    orders.map((order) => order.foc_requested),
    sequences,
  ];
}

function requirementColumns(orders: readonly Order[]): unknown[] {
  const asked = orders.flatMap(({ id, requirements }) =>
    requirements.map((requirement, position) => ({ ...requirement, id, position })),
  );
  return [
    asked.map((one) => one.id),
    asked.map((one) => one.position),
    asked.map((one) => one.slug),
    asked.map((one) => one.field_type),
    asked.map((one) => one.mandatory),
    asked.map((one) => one.max_age_days),
  ];
}

function timelineColumns(
  orders: readonly Order[],
  effects: readonly (readonly Effect[])[],
  now: Date,
): unknown[] {
  const entries = effects.flatMap((list, n) =>
    list.flatMap((effect) =>
      effect.effect === "timeline" ? [{ order: orders[n]?.id, effect }] : [],
    ),
  );
  return [
    newIds(now, entries.length),
    entries.map((entry) => entry.order),
    entries.map((entry) => entry.effect.kind),
    entries.map((entry) => JSON.stringify(entry.effect.data)),
  ];
}

function refuseTaken(requested: readonly string[], taken: ReadonlySet<string>): never {
  throw new AppError("validation_failed", "Some numbers are active on the account already.", {
    faults: requested.flatMap((number, n) =>
      taken.has(number)
        ? [
            {
              pointer: `#/phone_numbers/${n}`,
              code: "already_active",
              detail: "The number is active on the account already.",
            },
          ]
        : [],
    ),
  });
}

/**
 * Stores the orders of one request with their events, all or none.
 * @throws `validation_failed` (already_active per number), `number_in_active_order`
 */
export async function createOrders(
  db: Queryable,
  context: MessageContext,
  batch: OrderBatch,
  { actor, now }: DecisionContext,
): Promise<void> {
  const { orders, requested } = batch;
  const effects = creationEffects(orders);
  const written = orders.map((order, n) => orderMessages(context, order, effects[n] ?? [], now));
  const numbers = orders.flatMap((order) =>
    order.numbers.map((number) => ({ order: order.id, phone_number: number.phone_number })),
  );
  let taken: readonly { phone_number: string }[];
  try {
    taken = await queryRows<{ phone_number: string }>(db, {
      name: "order-create",
      text: CREATE,
      values: [
        orders[0]?.account_id,
        numbers.map((number) => number.phone_number),
        orders[0]?.batch_id,
        now,
        ...orderColumns(
          orders,
          written.map((one) => one.eventSequence),
        ),
        numbers.map((number) => number.order),
        JSON.stringify(actor),
        ...timelineColumns(orders, effects, now),
        ...requirementColumns(orders),
        ...outboxColumns(written.flatMap((one) => one.messages)),
      ],
    });
  } catch (error) {
    if (constraintOf(error)?.constraint !== NUMBER_TAKEN) throw error;
    throw new AppError("number_in_active_order", "A number is in another live order.");
  }
  if (taken.length > 0) refuseTaken(requested, new Set(taken.map((row) => row.phone_number)));
}
