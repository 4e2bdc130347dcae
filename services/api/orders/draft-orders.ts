import { decide } from "../../domain/order/rules/decide.ts";
import type { Actor, Order } from "../../domain/order/rules/order.ts";
import { refusalError, rewrittenRows } from "../../domain/order/store/order-commands.ts";
import type { Database, Queryable } from "../../platform/db/transaction.ts";
import type { Fault } from "../../platform/errors.ts";
import { StalePreparation, type Preparing } from "../../platform/http/routing/preparing.ts";
import { runningSpan } from "../../platform/tracing/tracing.ts";
import type { ApiDeps } from "../api-deps.ts";
import {
  checkGiven,
  documentsOf,
  fulfilCommand,
  readGivenTo,
  storeGiven,
  type Fulfilment,
} from "../requirements/fulfil.ts";
import {
  findUnaskedFaults,
  signatureIn,
  type GivenRequirements,
} from "../requirements/given-requirements.ts";
import { withoutFiles } from "../requirements/write-requirement.ts";
import type { NamedGroup } from "../requirement-groups/store.ts";
import { findOtherHolders, findUnavailableNumbers } from "./store/list-orders.ts";
import {
  locateNumbers,
  numberFaults,
  planOrders,
  type NumberFault,
  type OrderPlan,
  type OrderRequest,
  type OtherHolders,
} from "./plan-orders.ts";

interface Skipped extends NumberFault {
  readonly phone_number: string;
}

export interface Creation {
  readonly db: Queryable;
  readonly accountId: string;
  readonly body: OrderRequest & { readonly skip_invalid?: boolean | undefined };
}

interface Left {
  readonly request: OrderRequest;
  readonly skipped: readonly Skipped[];
}

/** The request without the numbers that it skips; as it is where none is left. */
async function withoutSkipped(
  { directory }: Pick<ApiDeps, "directory">,
  { db, accountId, body }: Creation,
): Promise<Left> {
  if (body.skip_invalid !== true) return { request: body, skipped: [] };
  const { phone_numbers: numbers } = body;
  const unavailable = await findUnavailableNumbers(db, accountId, numbers);
  const faults = await numberFaults(numbers, { options: body, directory, unavailable });
  const phone_numbers = numbers.filter((_, n) => faults[n] === null);
  if (phone_numbers.length === 0) return { request: body, skipped: [] };
  const skipped = numbers.flatMap((phone_number, n) => {
    const fault = faults[n] ?? null;
    return fault === null ? [] : [{ phone_number, ...fault }];
  });
  return { request: { ...body, phone_numbers }, skipped };
}

interface Planning {
  readonly accountId: string;
  readonly holders: OtherHolders;
  readonly now: Date;
}

type PlanDeps = Pick<ApiDeps, "defaultProvider" | "directory" | "terms">;

async function planRequest(
  { defaultProvider, directory, terms }: PlanDeps,
  request: OrderRequest,
  planning: Planning,
): Promise<OrderPlan> {
  const located = await locateNumbers(request.phone_numbers, request, directory);
  return planOrders(request, { ...planning, defaultProvider, directory, terms, located });
}

interface Gift extends Creation {
  readonly given: GivenRequirements;
  readonly group: NamedGroup;
  readonly now: Date;
}

/** The faults of values in a request whose schema or date has faults too; the letter is not printed for these. */
export async function findGivenFaults(
  deps: PlanDeps & Pick<ApiDeps, "bus" | "box">,
  { db, accountId, body, now, group, given }: Gift,
): Promise<Fault[]> {
  const { saved } = group;
  const request = { ...body, requirements: { ...saved, ...given } };
  const { orders } = await planRequest(deps, request, { accountId, holders: new Map(), now });
  const read = await readGivenTo(deps, { db, accountId, orders, given, saved });
  const unasked = [...group.faults, ...findUnaskedFaults(given, orders)];
  return [...unasked, ...distinct(read.flatMap(({ faults }) => faults))];
}

/** Orders of one request usually have the same faults, because all of them are given the same. */
function distinct(faults: readonly Fault[]): Fault[] {
  return [
    ...new Map(faults.map((fault) => [`${fault.pointer ?? ""} ${fault.code}`, fault])).values(),
  ];
}

/** Each takes a tenth of a second of printing, before the answer. */
const MOST_LETTERS = 20;

/** Drafts that are planned, and what they are given, its files stored. */
export interface FilledDrafts extends Left {
  readonly batchId: string;
  readonly orders: readonly Order[];
  readonly holders: OtherHolders;
  readonly fulfilments: ReadonlyMap<string, Fulfilment>;
  readonly now: Date;
}

/**
 * Plans orders together with what they are given. `refuse` makes the error of all faults.
 * @throws that error; `quota_exceeded`, `rate_limited`, `unavailable`
 */
export async function prepareFilled(
  deps: ApiDeps,
  preparing: Preparing,
  {
    refuse,
    ...gift
  }: Gift & {
    readonly refuse: (plan: readonly Fault[], given: readonly Fault[]) => Promise<Error | null>;
  },
): Promise<FilledDrafts> {
  const { db, accountId, given, group, now } = gift;
  const left = await withoutSkipped(deps, gift);
  const { request } = left;
  const holders = await findOtherHolders(db, accountId, request.phone_numbers);
  // On some values depends when numbers can be moved.
  const planned = { ...request, requirements: { ...group.saved, ...given } };
  const plan = await planRequest(deps, planned, { accountId, holders, now });
  const { orders } = plan;
  const tooMany = tooManyLetters(given, orders);
  const to = { db, accountId, orders, given, saved: group.saved };
  const checked = await (tooMany.length > 0
    ? readGivenTo(deps, to)
    : checkGiven(deps, preparing, to));
  const faults = checked.flatMap((one) => one.faults);
  const unasked = [...group.faults, ...findUnaskedFaults(given, orders)];
  const all = [...tooMany, ...unasked, ...distinct(faults)];
  const refusal = await refuse(plan.faults, all);
  if (refusal !== null) throw refusal;
  const fulfilments = await storeGiven(deps, { db, accountId }, checked);
  return { ...left, batchId: plan.batchId, orders, holders, fulfilments, now };
}

/** The fault of a request that signs too many letters, if it does. */
export function tooManyLetters(given: GivenRequirements, orders: readonly Order[]): Fault[] {
  const count = orders.filter((order) => signatureIn(given, order) !== null).length;
  if (count <= MOST_LETTERS) return [];
  const detail = `It would sign ${count} letters; a request signs at most ${MOST_LETTERS}. Sign them in each order.`;
  return [{ pointer: "#/requirements/loa", code: "too_many", detail }];
}

export type CreatedDrafts = Pick<FilledDrafts, "batchId" | "orders" | "skipped">;

/** Creates the orders, planned again with the holders that the creation finds; faults if nothing can be planned. */
export async function createDrafts(
  deps: ApiDeps,
  { db, body, actor, accountId }: Creation & { readonly db: Database; readonly actor: Actor },
): Promise<Pick<OrderPlan, "faults"> | CreatedDrafts> {
  const now = deps.bus.clock.now();
  const { request, skipped } = await withoutSkipped(deps, { db, accountId, body });
  const requested = body.phone_numbers;
  const holders = new Map<string, string>();
  for (;;) {
    const plan = await planRequest(deps, request, { accountId, holders, now });
    if (plan.faults.length > 0) return { faults: plan.faults };
    const traceparent = runningSpan()?.traceparent;
    const batch = { orders: plan.orders, requested, holders, actor, now, traceparent };
    const unknown = await deps.createOrders(db, batch);
    if (unknown === null) return { batchId: plan.batchId, orders: plan.orders, skipped };
    for (const [number, holder] of unknown) holders.set(number, holder);
  }
}

/**
 * Creates orders with what was prepared for them.
 * @throws `StalePreparation` where another account holds one of their numbers by now
 */
export async function createFilled(
  { createOrders, files }: Pick<ApiDeps, "createOrders" | "files">,
  { orders: drafts, fulfilments, ...filled }: FilledDrafts,
  {
    db,
    actor,
    requested,
  }: { readonly db: Database; readonly actor: Actor; readonly requested: readonly string[] },
): Promise<CreatedDrafts> {
  const { batchId, holders, skipped, now } = filled;
  const decisions = drafts.map((order) => {
    const fulfilment = fulfilments.get(order.id);
    const command = fulfilCommand(fulfilment ?? { changes: [], letter: null });
    const decision = decide(order, command, { actor, now });
    if (!decision.allowed) throw refusalError(decision.refusal);
    const { rewritten = [], files: made = [] } = fulfilment ?? {};
    const values = rewrittenRows(decision.order, rewritten, now);
    return { order: decision.order, effects: decision.effects, values, files: made };
  });
  const orders = decisions.map(({ order }) => order);
  const given = new Map(decisions.map((one) => [one.order.id, one]));
  const traceparent = runningSpan()?.traceparent;
  await withoutFiles(files, documentsOf(fulfilments.values()), async () => {
    const batch = { orders, given, requested, holders, actor, now, traceparent };
    if ((await createOrders(db, batch)) !== null) throw new StalePreparation();
  });
  return { batchId, orders, skipped };
}
