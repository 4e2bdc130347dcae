import type { CarrierDirectory } from "../../domain/carrier/rules/carrier-directory.ts";
import { fieldTypeOf } from "../../domain/countries/fields/requirement-definition.ts";
import type { NumberType } from "../../domain/countries/number-type.ts";
import {
  classifyNumber,
  contradictsPlan,
  orderTypeOf,
  type NumberKind,
} from "../../domain/number/rules/classify-number.ts";
import { INITIAL_STATUS, type Order } from "../../domain/order/rules/order.ts";
import { profileOf, unsupportedKind, untouched } from "../../domain/requirement/rules/catalogue.ts";
import { emptyNumberValue, withValues } from "../../domain/requirement/rules/number-values.ts";
import type { OrderRequirement } from "../../domain/requirement/rules/requirement.ts";
import { maxAgeDaysOf, type CountryTerms } from "../../domain/terms/rules/country-terms.ts";
import { findFocFault, type TermsOf } from "../../domain/terms/rules/port-date.ts";
import { termsOfOrder } from "../../domain/terms/rules/terms-of-order.ts";
import { PLATFORM_PROVIDER } from "../../messages/platform-provider.ts";
import type { Fault } from "../../platform/errors.ts";
import { newIds } from "../../platform/ids.ts";
import { inSlices } from "../../platform/in-slices.ts";

/** Numbers that differ in one of these go into separate orders. */
interface OrderedKind {
  readonly country_code: string;
  /** "other" has no requirement profile, so no order has this type. */
  readonly number_type: NumberType | "other";
  readonly losing_carrier: string | null;
}

/** What a request specifies for all of its numbers. */
export interface KindOptions {
  readonly number_type?: NumberType | undefined;
  readonly losing_carrier?: string | undefined;
}

export interface LocatedNumber {
  /** The kind of order that the number belongs in. */
  readonly kind: OrderedKind;
  /** How the request's type contradicts the numbering plan; null if it does not. */
  readonly contradiction: string | null;
}

/** Where a number of a request belongs; null if it is not a valid number. */
export function locateNumber(
  number: string,
  { number_type: chosen, losing_carrier }: KindOptions,
  directory: Pick<CarrierDirectory, "carrierOf" | "rangeOf">,
): LocatedNumber | null {
  const planned = classifyNumber(number, directory.rangeOf);
  if (planned === null) return null;
  const kind = {
    country_code: planned.country_code,
    number_type: orderTypeOf(planned, chosen),
    losing_carrier: losing_carrier ?? directory.carrierOf(number),
  };
  return { kind, contradiction: contradictionOf(planned, chosen) };
}

/** So many numbers take less than a millisecond, after which other requests have their turn. */
export const SLICE = 10;

/** Where each number of a request belongs. */
export function locateNumbers(
  numbers: readonly string[],
  options: KindOptions,
  directory: Pick<CarrierDirectory, "carrierOf" | "rangeOf">,
): Promise<(LocatedNumber | null)[]> {
  return inSlices(numbers, SLICE, (number) => locateNumber(number, options, directory));
}

function contradictionOf(planned: NumberKind, chosen: NumberType | undefined): string | null {
  if (chosen === undefined || !contradictsPlan(planned, chosen)) return null;
  const type = planned.number_type ?? "local or mobile";
  return `By its numbering plan the number is ${type}, not ${chosen}: omit number_type, or send the number in another request.`;
}

export type NumberFault = Omit<Fault, "pointer">;

export const INVALID_NUMBER: NumberFault = {
  code: "invalid_number",
  detail:
    "It is not a number in E.164 that its country's numbering plan has, such as +12125550123: + and country code, then digits alone.",
};

/** Why a number cannot be ordered by any account; null if it can. `seen` has the numbers before it in the request. */
export function findNumberFault(
  number: string,
  located: LocatedNumber | null,
  seen: ReadonlySet<string>,
): NumberFault | null {
  if (located === null) return INVALID_NUMBER;
  if (seen.has(number)) {
    return {
      code: "duplicate_number",
      detail: "The number is listed more than once; send it once.",
    };
  }
  const { kind, contradiction } = located;
  if (profileOf(kind.country_code, kind.number_type) === null) {
    return { code: "country_not_supported", detail: unsupportedKind(kind) };
  }
  return contradiction === null ? null : { code: TYPE_MISMATCH, detail: contradiction };
}

const TYPE_MISMATCH = "number_type_mismatch";

/** A fault for each requested number whose numbering plan contradicts the requested type. */
export async function findTypeFaults(
  requested: readonly string[],
  { number_type: chosen }: KindOptions,
  { rangeOf }: Pick<CarrierDirectory, "rangeOf">,
): Promise<Fault[]> {
  if (chosen === undefined) return [];
  const faults = await inSlices(requested, SLICE, (number, n) => {
    const planned = classifyNumber(number, rangeOf);
    const detail = planned === null ? null : contradictionOf(planned, chosen);
    return detail === null ? [] : [atNumber(n, { code: TYPE_MISMATCH, detail })];
  });
  return faults.flat();
}

/** Why the account cannot order a number that it already has or is porting in. */
export type UnavailableReason = "already_active" | "number_in_active_order";

const ALREADY_ACTIVE: NumberFault = {
  code: "already_active",
  detail: "The number is already active on the account, so it cannot be ported in again.",
};

/** The fault with a pointer to the n-th number of the request body. */
function atNumber(n: number, fault: NumberFault): Fault {
  return { pointer: `#/phone_numbers/${n}`, ...fault };
}

const IN_LIVE_ORDER: NumberFault = {
  code: "number_in_active_order",
  detail:
    "The number is in another live order of the account; find it by GET /v2/porting_orders?phone_number=.",
};

/** A fault for each requested number that the account already has or is porting in. */
export function unavailableNumberFaults(
  requested: readonly string[],
  unavailable: ReadonlySet<string>,
  reason: UnavailableReason,
): Fault[] {
  const fault = reason === "already_active" ? ALREADY_ACTIVE : IN_LIVE_ORDER;
  return requested.flatMap((number, n) => (unavailable.has(number) ? [atNumber(n, fault)] : []));
}

interface NumberFacts {
  readonly options: KindOptions;
  readonly directory: Pick<CarrierDirectory, "carrierOf" | "rangeOf">;
  readonly unavailable: ReadonlyMap<string, UnavailableReason>;
}

/** The first fault of each requested number, null where it has none; entries that are not strings are faults of the schema. */
export async function numberFaults(
  requested: readonly unknown[],
  { options, directory, unavailable }: NumberFacts,
): Promise<(NumberFault | null)[]> {
  const seen = new Set<string>();
  return inSlices(requested, SLICE, (number) => {
    if (typeof number !== "string") return null;
    const located = locateNumber(number, options, directory);
    const fault =
      findNumberFault(number, located, seen) ?? unavailableFault(unavailable.get(number));
    seen.add(number);
    return fault;
  });
}

export function unavailableFault(reason: UnavailableReason | undefined): NumberFault | null {
  if (reason === undefined) return null;
  return reason === "already_active" ? ALREADY_ACTIVE : IN_LIVE_ORDER;
}

/** These faults, but for numbers in a live order, which are a conflict of their own. */
export async function findNumberFaults(
  requested: readonly unknown[],
  facts: NumberFacts,
): Promise<Fault[]> {
  const faults = await numberFaults(requested, facts);
  return faults.flatMap((fault, n) =>
    fault === null || fault === IN_LIVE_ORDER ? [] : [atNumber(n, fault)],
  );
}

/** The requirements of a new order of the kind, all empty. */
function newRequirements(
  { country_code, number_type }: OrderedKind,
  phoneNumbers: readonly string[],
  terms: CountryTerms | null,
): readonly OrderRequirement[] {
  return (profileOf(country_code, number_type) ?? []).map((definition) => {
    const { slug, scope, mandatory, unless = null } = definition;
    const field_type = fieldTypeOf(definition);
    const max_age_days = maxAgeDaysOf(terms, number_type, definition);
    const requirement = untouched({ slug, scope, field_type, mandatory, unless, max_age_days });
    return scope === "order"
      ? requirement
      : withValues(requirement, phoneNumbers.map(emptyNumberValue));
  });
}

export interface OrderRequest extends KindOptions {
  readonly phone_numbers: readonly string[];
  readonly customer_reference?: string | undefined;
  readonly foc_requested?: string | undefined;
  readonly webhook_url?: string | null | undefined;
  /** What it gives for requirements, by slug. */
  readonly requirements?: Readonly<Record<string, unknown>> | undefined;
}

/** Numbers that other accounts of the platform hold, with the holder's id. */
export type OtherHolders = ReadonlyMap<string, string>;

interface PlanContext {
  readonly accountId: string;
  /** The provider for carriers to which the directory assigns none. */
  readonly defaultProvider: string;
  readonly directory: Pick<CarrierDirectory, "providerOf">;
  readonly terms: TermsOf;
  /** Where each of the numbers belongs. */
  readonly located: readonly (LocatedNumber | null)[];
  /** Other accounts that hold some of the numbers: an order has numbers of one holder, or of none. */
  readonly holders: OtherHolders;
  readonly now: Date;
}

/** The orders of a request's good numbers; they are created only where nothing is wrong. */
export interface OrderPlan {
  readonly faults: readonly Fault[];
  readonly batchId: string;
  readonly orders: readonly Order[];
}

interface OrderGroup {
  readonly kind: OrderedKind;
  /** Another account of the platform holds them. */
  readonly isOnPlatform: boolean;
  readonly numbers: string[];
}

interface PlannedGroup extends OrderGroup {
  readonly provider: string;
}

/** Groups a request's numbers into one order per country, number type and losing carrier, with every fault of the others. */
export function planOrders(request: OrderRequest, context: PlanContext): OrderPlan {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const groups = new Map<string, OrderGroup>();
  request.phone_numbers.forEach((number, n) => {
    const located = context.located[n] ?? null;
    const fault = findNumberFault(number, located, seen);
    seen.add(number);
    if (fault !== null) faults.push(atNumber(n, fault));
    else if (located !== null) {
      const { kind } = located;
      const holder = context.holders.get(number) ?? null;
      const name = JSON.stringify({ ...kind, holder });
      const group = groups.get(name) ?? { kind, isOnPlatform: holder !== null, numbers: [] };
      group.numbers.push(number);
      groups.set(name, group);
    }
  });
  const planned = [...groups.values()].map((group) => ({
    ...group,
    provider: group.isOnPlatform ? PLATFORM_PROVIDER : providerFor(group.kind, context),
  }));
  const { batchId, orders } = ordersOf(planned, request, context);
  return { faults: [...findDateFaults(orders, request, context), ...faults], batchId, orders };
}

/** The provider that ports from a kind's losing carrier. */
export function providerFor(
  { losing_carrier }: Pick<OrderedKind, "losing_carrier">,
  { directory, defaultProvider }: Pick<PlanContext, "directory" | "defaultProvider">,
): string {
  return directory.providerOf(losing_carrier) ?? defaultProvider;
}

/** One order's numbers cannot be moved at the requested date, whatever those of the others can. */
function findDateFaults(
  orders: readonly Order[],
  { foc_requested: wanted, requirements: given }: OrderRequest,
  { terms, now }: PlanContext,
): Fault[] {
  if (wanted === undefined) return [];
  for (const order of orders) {
    const fault = findFocFault(termsOfOrder(terms, order, given), wanted, now);
    if (fault !== null) return [fault];
  }
  return [];
}

function ordersOf(
  groups: readonly PlannedGroup[],
  request: OrderRequest,
  { accountId, terms, now }: PlanContext,
): Omit<OrderPlan, "faults"> {
  const [batchId = "", ...ids] = newIds(now, groups.length + 1);
  const orders = groups.map(({ kind, numbers, provider }, n): Order => ({
    id: ids[n] ?? "",
    account_id: accountId,
    batch_id: batchId,
    status: INITIAL_STATUS,
    closed_by: null,
    closed_reason: null,
    provider,
    provider_status: "",
    provider_status_at: null,
    country_code: kind.country_code,
    number_type: kind.number_type,
    losing_carrier: kind.losing_carrier,
    customer_reference: request.customer_reference ?? "",
    webhook_url: request.webhook_url ?? null,
    requirements_status: false,
    foc_requested: request.foc_requested ?? null,
    foc_actual: null,
    foc_said_at: null,
    request_version: 0,
    review_attempt: 0,
    exceptions: [],
    cancel: null,
    attention: null,
    changes: [],
    requirements: newRequirements(kind, numbers, terms(kind.country_code, provider)),
    numbers: numbers.map((phone_number) => ({
      phone_number,
      status: "pending",
      failure_code: null,
      activated_at: null,
    })),
    event_sequence: 0,
    created_at: now,
    updated_at: now,
    submitted_at: null,
    closed_at: null,
    deleted_at: null,
  }));
  return { batchId, orders };
}
