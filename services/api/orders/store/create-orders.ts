import { DOCUMENT_ROW } from "../../../domain/document/store/documents.ts";
import { timelineInsert } from "../../../domain/order/store/timeline.ts";
import type { MessageContext } from "../../../messages/bus/outgoing.ts";
import { constraintOf } from "../../../platform/db/database-fault.ts";
import { insertInto, recordset, recordsetValue } from "../../../platform/db/recordset.ts";
import {
  OpenTransaction,
  queryRows,
  type Database,
  type Queryable,
} from "../../../platform/db/transaction.ts";
import { AppError, type Fault } from "../../../platform/errors.ts";
import { gatherCalls } from "../../../platform/gather-calls.ts";
import { outboxInsert } from "../../../platform/outbox/outbox.ts";
import { unavailableNumberFaults, type OtherHolders } from "../plan-orders.ts";
import {
  ASKED,
  NEW_DOCUMENT,
  NEW_ENTRY,
  NEW_MESSAGE,
  NEW_NUMBER,
  NEW_ORDER,
  NEW_VALUE,
  newOrderRows,
  QUOTA_CLAIM,
  VALUE_ROW,
  type OrderBatch,
} from "../new-order-rows.ts";

/** How much an account may have; 0 is any number. */
export interface OrderQuotas {
  readonly drafts: number;
  /** Numbers in live orders. */
  readonly openNumbers: number;
  /** Numbers of orders of the last 24 hours that the customer deleted or cancelled: what they stored stays. */
  readonly discardedNumbers: number;
}

/** What a request adds to its account. */
export interface Addition {
  readonly accountId: string;
  readonly drafts: number;
  readonly numbers: number;
}

/** A request with what it adds to its account together with the requests before it. */
interface QuotaClaim {
  readonly request: number;
  readonly account_id: string;
  readonly drafts: number;
  readonly numbers: number;
  readonly max_drafts: number;
  readonly max_numbers: number;
  readonly max_discarded: number;
}

/** What has to be counted against the quotas; nothing where there are none, so that nothing is counted. */
export function quotaClaims(quotas: OrderQuotas, additions: readonly Addition[]): QuotaClaim[] {
  if (Object.values(quotas).every((quota) => quota === 0)) return [];
  const limits = {
    max_drafts: quotas.drafts,
    max_numbers: quotas.openNumbers,
    max_discarded: quotas.discardedNumbers,
  };
  const totals = new Map<string, Pick<Addition, "drafts" | "numbers">>();
  return additions.map(({ accountId, drafts, numbers }, request) => {
    const before = totals.get(accountId) ?? { drafts: 0, numbers: 0 };
    const total = { drafts: before.drafts + drafts, numbers: before.numbers + numbers };
    totals.set(accountId, total);
    return { request, account_id: accountId, ...total, ...limits };
  });
}

/** What a creating statement found; `request` is the index of a request that it created nothing for. */
export type CreationFinding =
  | NumberFinding
  | HolderFinding
  | { readonly reason: QuotaReason; readonly request: number };

type QuotaReason = "drafts" | "numbers" | "discarded";

/** A number that is active on the account, or in another live order of it. */
interface NumberFinding {
  readonly reason: "active" | "live";
  readonly request: number;
  readonly phone_number: string;
}

/** A number that another account holds, unknown to the request's plan. */
interface HolderFinding {
  readonly reason: "elsewhere";
  readonly request: number;
  readonly phone_number: string;
  readonly account_id: string;
}

/** Why nothing was created: an error, or numbers of other accounts with which the orders are to be planned again. */
type CreationRefusal = AppError | OtherHolders;

/** The refusal of the request with these findings; null if it was created. */
export function creationRefusal(
  requested: readonly string[],
  found: readonly CreationFinding[],
  quotas: OrderQuotas,
): CreationRefusal | null {
  const active = numbersOf(found, "active");
  if (active.size > 0) {
    const faults = unavailableNumberFaults(requested, active, "already_active");
    const detail = "Some numbers are already active on the account.";
    return new AppError("validation_failed", detail, { faults });
  }
  const live = numbersOf(found, "live");
  if (live.size > 0) {
    return inLiveOrder(unavailableNumberFaults(requested, live, "number_in_active_order"));
  }
  for (const { reason } of found) {
    if (isQuota(reason)) return quotaExceeded(reason, quotas);
  }
  const elsewhere = found.filter((one) => one.reason === "elsewhere");
  return elsewhere.length === 0
    ? null
    : new Map(elsewhere.map(({ phone_number, account_id }) => [phone_number, account_id]));
}

const isQuota = (reason: CreationFinding["reason"]): reason is QuotaReason =>
  reason === "drafts" || reason === "numbers" || reason === "discarded";

function quotaExceeded(reason: QuotaReason, quotas: OrderQuotas): AppError {
  const allowed = {
    drafts: `${count(quotas.drafts)} drafts: submit or delete some`,
    numbers: `${count(quotas.openNumbers)} numbers in live orders: wait until some orders end, or cancel some`,
    discarded: `${count(quotas.discardedNumbers)} numbers in orders that were created in the last 24 hours and deleted or cancelled: create the others later`,
  } as const satisfies Record<QuotaReason, string>;
  return new AppError("quota_exceeded", `The account may have at most ${allowed[reason]}.`);
}

const count = (value: number): string => value.toLocaleString("en");

/** Without faults if a concurrent creation was first, since the database does not report which number it was. */
function inLiveOrder(faults: readonly Fault[] = []): AppError {
  return new AppError(
    "number_in_active_order",
    "A number is in another live order of the account.",
    { faults },
  );
}

function numbersOf(
  found: readonly CreationFinding[],
  reason: NumberFinding["reason"],
): ReadonlySet<string> {
  return new Set(found.flatMap((one) => (one.reason === reason ? [one.phone_number] : [])));
}

const NUMBER_TAKEN = "order_numbers_one_live";

const isAccepted = (request: string): string =>
  `${request} <> all ((select requests from refused)::integer[])`;

/**
 * One statement and one round trip for all requests; nothing is written for a request with a number that is already
 * active on the account, in another live order of it, or held by an account that its plan does not know, nor for one
 * that exceeds the account's quota.
 */
const CREATE = `with number as materialized (
    select u.* from ${recordset("$1", NEW_NUMBER)}
  ), owned as materialized (
    select u.request, u.phone_number, u.account_id, u.holder as planned,
      (select n.account_id from orders.numbers n
        where n.phone_number = u.phone_number and n.status <> 'ported_out') as holder
    from number u
  ), taken as materialized (
    select o.request, o.phone_number from owned o where o.holder = o.account_id
  ), elsewhere as materialized (
    select o.request, o.phone_number, o.holder from owned o
    where o.holder <> o.account_id and o.holder is distinct from o.planned
  ), live as materialized (
    select u.request, u.phone_number from number u
    where (select true from orders.order_numbers n
      where n.account_id = u.account_id and n.phone_number = u.phone_number and n.live)
  ), claim as materialized (
    select u.* from ${recordset("$6", QUOTA_CLAIM)}
  ), used as materialized (
    select one.account_id, quota.drafts, quota.numbers
    from (select account_id, max(drafts)::bigint as drafts, max(numbers)::bigint as numbers,
        max(max_drafts) as max_drafts, max(max_numbers) as max_numbers
      from claim group by account_id order by account_id) one
    cross join lateral
      orders.quota_used(one.account_id, one.drafts, one.numbers, one.max_drafts, one.max_numbers) quota
  ), discarded as materialized (
    select c.request from claim c where c.max_discarded > 0 and c.max_discarded <= (
      select sum(coalesce(o.created_numbers, 1)) from orders.porting_orders o
      where o.account_id = c.account_id and o.created_at > now() - interval '24 hours'
        and (o.deleted_at is not null or o.closed_by = 'customer'))
  ), over as materialized (
    select c.request,
      case when c.max_drafts > 0 and used.drafts + c.drafts > c.max_drafts then 'drafts' else 'numbers' end as quota
    from used join claim c on c.account_id = used.account_id
    where c.max_drafts > 0 and used.drafts + c.drafts > c.max_drafts
      or c.max_numbers > 0 and used.numbers + c.numbers > c.max_numbers
    union all select request, 'discarded' from discarded
  ), refused as materialized (
    select coalesce(array_agg(request), '{}') as requests
    from (select request from taken union all select request from live
      union all select request from elsewhere union all select request from over) one
  ), accepted as materialized (
    select u.* from ${recordset("$2", NEW_ORDER)} where ${isAccepted("u.request")}
  ), asked as materialized (
    select u.country_code, u.number_type, u.items, orders.requirement_profile_id(u.items) as profile_id
    from ${recordset("$3", ASKED)}
  ), profiled as (
    insert into orders.requirement_profiles (id, items)
    select distinct on (a.profile_id) a.profile_id, a.items from asked a
    where not exists (select from orders.requirement_profiles p where p.id = a.profile_id)
    on conflict do nothing
  ), created as (
    insert into orders.porting_orders (id, account_id, batch_id, status, provider, country_code, number_type,
      losing_carrier, customer_reference, webhook_url, requirements_status, foc_requested, event_sequence,
      created_numbers, created_at, updated_at, requirement_profile_id)
    select u.id, u.account_id, u.batch_id, u.status, u.provider, u.country_code, u.number_type, u.losing_carrier,
      u.customer_reference, u.webhook_url, u.requirements_status, u.foc_requested, u.event_sequence,
      u.created_numbers, u.created_at, u.created_at,
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
  ), valued as (
    ${insertInto("orders.requirements", VALUE_ROW, recordset("$7", NEW_VALUE))}
      where ${isAccepted("u.request")}
  ), documented as (
    ${insertInto("orders.documents", DOCUMENT_ROW, recordset("$8", NEW_DOCUMENT))}
      where ${isAccepted("u.request")}
  ), directed as (
    insert into webhooks.order_destinations (order_id, account_id, url, href)
    select u.id, u.account_id, u.webhook_url, u.webhook_href from accepted u where u.webhook_url is not null
  ), sent as (
    ${outboxInsert(recordset("$5", NEW_MESSAGE), isAccepted("u.request"))}
  )
  select 'active' as reason, request, phone_number, null::uuid as account_id from taken
  union all select 'live', request, phone_number, null from live
  union all select 'elsewhere', request, phone_number, holder from elsewhere
  union all select quota, request, null, null from over`;

/** The refused batches; every other batch was created. */
type CreationRefusals = ReadonlyMap<OrderBatch, CreationRefusal>;

/** Where orders are created, with what applies to all accounts. */
interface OrderStore {
  readonly db: Queryable;
  readonly context: MessageContext;
  readonly quotas: OrderQuotas;
}

/**
 * Stores the orders of several requests with their events, all or none per request; `validation_failed` (already_active
 * per number), `number_in_active_order`, `quota_exceeded` or a number that another account holds refuses only the
 * request that caused it.
 */
async function createOrders(
  store: OrderStore,
  batches: readonly OrderBatch[],
): Promise<CreationRefusals> {
  try {
    const refusals = await insertOrders(store, batches);
    if (batches.length === 1) return refusals;
    // The quota was counted with the requests before, of which some may have been refused.
    const isOver = (batch: OrderBatch) => isQuotaExceeded(refusals.get(batch));
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

const isQuotaExceeded = (refusal: CreationRefusal | undefined): boolean =>
  refusal instanceof AppError && refusal.code === "quota_exceeded";

async function createOneByOne(
  store: OrderStore,
  batches: readonly OrderBatch[],
): Promise<CreationRefusals> {
  const refusals = new Map<OrderBatch, CreationRefusal>();
  for (const batch of batches) {
    for (const [refused, refusal] of await createOrders(store, [batch])) {
      refusals.set(refused, refusal);
    }
  }
  return refusals;
}

async function insertOrders(
  { db, context, quotas }: OrderStore,
  batches: readonly OrderBatch[],
): Promise<CreationRefusals> {
  const rows = newOrderRows(context, batches);
  const found = await queryRows<CreationFinding & Record<string, unknown>>(db, {
    name: "orders-create",
    text: CREATE,
    values: [
      recordsetValue(NEW_NUMBER, rows.numbers),
      recordsetValue(NEW_ORDER, rows.orders),
      recordsetValue(ASKED, rows.asked),
      recordsetValue(NEW_ENTRY, rows.timeline),
      recordsetValue(NEW_MESSAGE, rows.messages),
      recordsetValue(QUOTA_CLAIM, quotaClaims(quotas, batches.map(additionOf))),
      recordsetValue(NEW_VALUE, rows.values),
      recordsetValue(NEW_DOCUMENT, rows.documents),
    ],
  });
  return new Map(
    batches.flatMap((batch, request) => {
      const own = found.filter((one) => one.request === request);
      const refusal = creationRefusal(batch.requested, own, quotas);
      return refusal === null ? [] : [[batch, refusal]];
    }),
  );
}

function additionOf({ orders }: OrderBatch): Addition {
  return {
    accountId: orders[0]?.account_id ?? "",
    drafts: orders.length,
    numbers: orders.reduce((sum, order) => sum + order.numbers.length, 0),
  };
}

function refusalOf(cause: unknown): AppError {
  if (constraintOf(cause)?.constraint === NUMBER_TAKEN) return inLiveOrder();
  return cause instanceof AppError
    ? cause
    : new AppError("internal", "The orders were not stored.", { cause });
}

/**
 * Stores the orders of a request; null, or the numbers that other accounts hold if the plan of the orders does not know
 * that and nothing was stored.
 * @throws `validation_failed` (already_active per number), `number_in_active_order`, `quota_exceeded`
 */
export type CreateOrders = (db: Database, batch: OrderBatch) => Promise<OtherHolders | null>;

const MAX_REQUESTS = 32;
/** These are worth a statement beside one that runs, so that Postgres does not wait while the next are being planned. */
const ENOUGH_REQUESTS = 8;
/** A request with more numbers runs by itself, so that no other request waits for it. */
const MAX_GATHERED_NUMBERS = 50;

/** Small concurrent requests share one statement and one commit, unless they have a transaction; each gets its own result. */
export function createOrderCreation(
  pool: Queryable,
  context: MessageContext,
  quotas: OrderQuotas,
): CreateOrders {
  const create = async (db: Queryable, batches: readonly OrderBatch[]) => {
    const refusals = await createOrders({ db, context, quotas }, batches);
    return (batch: OrderBatch) => unknownHolders(refusals.get(batch));
  };
  const together = gatherCalls({
    run: (batches: readonly OrderBatch[]) => create(pool, batches),
    most: MAX_REQUESTS,
    enough: ENOUGH_REQUESTS,
  });
  return async (db, batch) => {
    const isAlone = db instanceof OpenTransaction || batch.requested.length > MAX_GATHERED_NUMBERS;
    return isAlone ? (await create(db, [batch]))(batch) : together(batch);
  };
}

function unknownHolders(refusal: CreationRefusal | undefined): OtherHolders | null {
  if (refusal instanceof AppError) throw refusal;
  return refusal ?? null;
}
