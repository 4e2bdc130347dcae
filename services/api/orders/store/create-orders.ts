import type { MessageContext } from "../../../messages/bus/outgoing.ts";
import { constraintOf } from "../../../platform/db/database-fault.ts";
import { recordset, recordsetValue } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError, type Fault } from "../../../platform/errors.ts";
import { timelineInsert } from "../../../domain/order/store/timeline-rows.ts";
import { outboxInsert } from "../../../platform/outbox/outbox.ts";
import {
  ASKED,
  NEW_ENTRY,
  NEW_MESSAGE,
  NEW_NUMBER,
  NEW_ORDER,
  newOrderRows,
  type OrderBatch,
} from "./new-order-rows.ts";
import { heldNumberFaults } from "../number-faults.ts";

const NUMBER_TAKEN = "order_numbers_one_live";

const isAccepted = (request: string): string =>
  `${request} <> all ((select requests from refused)::integer[])`;

/** How much an account may have; 0 is any number. */
export interface OrderQuotas {
  readonly drafts: number;
  /** Numbers in live orders. */
  readonly openNumbers: number;
}

/**
 * One statement and one round trip for all requests; nothing is written for a request with a number that is already
 * active on the account or in another live order of it, or that exceeds the account's quota.
 */
const CREATE = `with number as materialized (
    select u.* from ${recordset("$1", NEW_NUMBER)}
  ), taken as materialized (
    select u.request, u.phone_number from number u
    where (select true from orders.numbers n
      where n.account_id = u.account_id and n.phone_number = u.phone_number and n.status <> 'ported_out')
  ), live as materialized (
    select u.request, u.phone_number from number u
    where (select true from orders.order_numbers n
      where n.account_id = u.account_id and n.phone_number = u.phone_number and n.live)
  ), asked_for as materialized (
    select o.request, o.account_id,
      sum(o.drafts) over earlier as drafts, sum(n.numbers) over earlier as numbers
    from (select u.request, u.account_id, count(*) as drafts from ${recordset("$2", NEW_ORDER)} group by 1, 2) o
    join (select u.request, count(*) as numbers from number u group by 1) n on n.request = o.request
    window earlier as (partition by o.account_id order by o.request)
  ), over as materialized (
    select a.request, case when $6::integer > 0 and used.drafts + a.drafts > $6::integer then 'drafts' else 'numbers' end as quota
    from (select account_id, max(drafts)::bigint as drafts, max(numbers)::bigint as numbers
      from asked_for group by account_id order by account_id) one
    cross join lateral orders.quota_used(one.account_id, one.drafts, one.numbers, $6, $7) used
    join asked_for a on a.account_id = one.account_id
    where $6::integer > 0 and used.drafts + a.drafts > $6::integer
      or $7::integer > 0 and used.numbers + a.numbers > $7::integer
  ), refused as materialized (
    select coalesce(array_agg(request), '{}') as requests
    from (select request from taken union all select request from live union all select request from over) one
  ), accepted as materialized (
    select u.* from ${recordset("$2", NEW_ORDER)} where ${isAccepted("u.request")}
  ), asked as materialized (
    select u.country_code, u.number_type, u.items, orders.requirement_profile_id(u.items) as profile_id
    from ${recordset("$3", ASKED)}
  ), kept as (
    insert into orders.requirement_profiles (id, items)
    select distinct on (a.profile_id) a.profile_id, a.items from asked a
    where not exists (select from orders.requirement_profiles p where p.id = a.profile_id)
    on conflict do nothing
  ), created as (
    insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code, number_type,
      losing_carrier, customer_reference, webhook_url, requirements_status, foc_requested, event_sequence,
      created_at, updated_at, requirement_profile_id)
    select u.id, u.account_id, u.batch_id, u.status, u.provider, u.country_code, u.number_type, u.losing_carrier,
      u.customer_reference, u.webhook_url, u.requirements_status, u.foc_requested, u.event_sequence,
      u.created_at, u.created_at,
      (select a.profile_id from asked a where a.country_code = u.country_code and a.number_type = u.number_type)
    from accepted u
  ), numbered as (
    insert into orders.order_numbers (order_id, position, account_id, phone_number)
    select u.order_id, u.position, u.account_id, u.phone_number from number u where ${isAccepted("u.request")}
  ), waiting as (
    insert into orders.deadlines (kind, subject_id, since)
    select 'draft_expiry', u.id::text, u.created_at from accepted u
  ), timeline as (
    ${timelineInsert(recordset("$4", NEW_ENTRY), isAccepted("u.request"))}
  ), directed as (
    insert into webhooks.order_destinations (order_id, account_id, url)
    select u.id, u.account_id, u.webhook_url from accepted u where u.webhook_url is not null
  ), sent as (
    ${outboxInsert(recordset("$5", NEW_MESSAGE), isAccepted("u.request"))}
  )
  select request, phone_number, 'active' as reason from taken
  union all select request, phone_number, 'live' from live
  union all select request, null, quota from over`;

/** Why a request is refused: a number that the account has or that is in another live order of it, or a quota. */
type Refused =
  | { readonly request: number; readonly phone_number: string; readonly reason: "active" | "live" }
  | { readonly request: number; readonly phone_number: null; readonly reason: keyof typeof QUOTAS };

const QUOTAS = { drafts: "drafts", numbers: "numbers in live orders" } as const;

/** The refused batches; every other batch was created. */
export type CreateRefusals = ReadonlyMap<OrderBatch, AppError>;

/** Where orders are created, with what holds for all accounts. */
export interface OrderStore {
  readonly db: Queryable;
  readonly context: MessageContext;
  readonly quotas: OrderQuotas;
}

/**
 * Stores the orders of several requests with their events, all or none per request; `validation_failed` (already_active
 * per number), `number_in_active_order` or `quota_exceeded` refuses only the request that caused it.
 */
export async function createOrders(
  store: OrderStore,
  batches: readonly OrderBatch[],
): Promise<CreateRefusals> {
  try {
    const refusals = await insertOrders(store, batches);
    if (batches.length === 1) return refusals;
    // The quota was counted with the requests before, of which some may have been refused.
    const isOver = (batch: OrderBatch) => refusals.get(batch)?.code === "quota_exceeded";
    const again = await createOneByOne(store, batches.filter(isOver));
    return new Map([...refusals].filter(([batch]) => !isOver(batch)).concat([...again]));
  } catch (error) {
    const [only] = batches;
    if (only === undefined || (error instanceof AppError && error.retryable)) throw error;
    if (batches.length === 1) return new Map([[only, refusalOf(error)]]);
  }
  // One batch failed, for example because a concurrent creation took a number: stored one by one, only that one fails.
  return createOneByOne(store, batches);
}

async function createOneByOne(
  store: OrderStore,
  batches: readonly OrderBatch[],
): Promise<CreateRefusals> {
  const refusals = new Map<OrderBatch, AppError>();
  for (const batch of batches) {
    for (const [refused, error] of await createOrders(store, [batch])) {
      refusals.set(refused, error);
    }
  }
  return refusals;
}

async function insertOrders(
  { db, context, quotas }: OrderStore,
  batches: readonly OrderBatch[],
): Promise<CreateRefusals> {
  const rows = newOrderRows(context, batches);
  const refused = await queryRows<Refused & Record<string, unknown>>(db, {
    name: "orders-create",
    text: CREATE,
    values: [
      recordsetValue(NEW_NUMBER, rows.numbers),
      recordsetValue(NEW_ORDER, rows.orders),
      recordsetValue(ASKED, rows.asked),
      recordsetValue(NEW_ENTRY, rows.timeline),
      recordsetValue(NEW_MESSAGE, rows.messages),
      quotas.drafts,
      quotas.openNumbers,
    ],
  });
  return new Map(
    batches.flatMap((batch, request) => {
      const own = refused.filter((one) => one.request === request);
      return own.length === 0 ? [] : [[batch, refusalFor(batch, own)]];
    }),
  );
}

function refusalFor({ requested }: OrderBatch, refused: readonly Refused[]): AppError {
  const active = numbersOf(refused, "active");
  if (active.size > 0) {
    const faults = heldNumberFaults(requested, active, "already_active");
    const detail = "Some numbers are already active on the account.";
    return new AppError("validation_failed", detail, { faults });
  }
  const live = numbersOf(refused, "live");
  if (live.size > 0) {
    return inLiveOrder(heldNumberFaults(requested, live, "number_in_active_order"));
  }
  const quota = refused.some(({ reason }) => reason === "drafts") ? "drafts" : "numbers";
  return new AppError("quota_exceeded", `The account would have too many ${QUOTAS[quota]}.`);
}

function numbersOf(refused: readonly Refused[], reason: "active" | "live"): ReadonlySet<string> {
  return new Set(refused.flatMap((one) => (one.reason === reason ? [one.phone_number] : [])));
}

/** Without faults if a concurrent creation was first, since the database does not report which number it was. */
function inLiveOrder(faults: readonly Fault[] = []): AppError {
  return new AppError("number_in_active_order", "A number is in another live order.", { faults });
}

function refusalOf(cause: unknown): AppError {
  if (constraintOf(cause)?.constraint === NUMBER_TAKEN) return inLiveOrder();
  return cause instanceof AppError
    ? cause
    : new AppError("internal", "The orders were not stored.", { cause });
}
