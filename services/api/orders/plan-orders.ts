import type { CarrierDirectory } from "../../domain/carrier/rules/carrier-directory.ts";
import {
  fieldTypeOf,
  maxAgeDaysOf,
  type RequirementDefinition,
} from "../../domain/countries/fields/requirement-definition.ts";
import { INITIAL_STATUS, type Order } from "../../domain/order/rules/order.ts";
import { ORDER_KINDS, untouched } from "../../domain/requirement/rules/catalogue.ts";
import type { OrderRequirement } from "../../domain/requirement/rules/requirement.ts";
import { PLATFORM_PROVIDER } from "../../messages/platform-provider.ts";
import type { Fault } from "../../platform/errors.ts";
import { newIds } from "../../platform/ids.ts";
import {
  atNumber,
  findNumberFault,
  type KindOptions,
  type LocatedNumber,
  type OrderedKind,
} from "./number-faults.ts";

function emptyRequirement(definition: RequirementDefinition): OrderRequirement {
  return untouched({
    slug: definition.slug,
    field_type: fieldTypeOf(definition),
    mandatory: definition.mandatory,
    max_age_days: maxAgeDaysOf(definition),
  });
}

const NEW_REQUIREMENTS: ReadonlyMap<string, readonly OrderRequirement[]> = new Map(
  ORDER_KINDS.map(({ country_code, number_type, profile }) => [
    `${country_code} ${number_type}`,
    profile.map(emptyRequirement),
  ]),
);

/** The requirements of a new order of the kind, all empty; null if such numbers cannot be ported. */
function newRequirements(
  countryCode: string,
  numberType: string,
): readonly OrderRequirement[] | null {
  return NEW_REQUIREMENTS.get(`${countryCode} ${numberType}`) ?? null;
}

export interface OrderRequest extends KindOptions {
  readonly phone_numbers: readonly string[];
  readonly customer_reference?: string | undefined;
  readonly foc_requested?: string | undefined;
  readonly webhook_url?: string | null | undefined;
}

/** Numbers that other accounts of the platform hold, with the holder's id. */
export type OtherHolders = ReadonlyMap<string, string>;

export interface PlanContext {
  readonly accountId: string;
  /** The provider for carriers to which the directory assigns none. */
  readonly defaultProvider: string;
  readonly directory: Pick<CarrierDirectory, "providerOf">;
  /** Where each of the numbers belongs. */
  readonly located: readonly (LocatedNumber | null)[];
  /** Other accounts that hold some of the numbers: an order has numbers of one holder, or of none. */
  readonly holders: OtherHolders;
  readonly now: Date;
}

export type OrderPlan =
  | { readonly faults: readonly Fault[] }
  | { readonly batchId: string; readonly orders: readonly Order[] };

interface OrderGroup {
  readonly kind: OrderedKind;
  /** Another account of the platform holds them. */
  readonly isOnPlatform: boolean;
  readonly numbers: string[];
}

/** Groups a request's numbers into one order per country, number type and losing carrier, or returns every fault. */
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
  if (faults.length > 0) return { faults };
  return ordersOf([...groups.values()], request, context);
}

function ordersOf(
  groups: readonly OrderGroup[],
  request: OrderRequest,
  { accountId, defaultProvider, directory, now }: PlanContext,
): OrderPlan {
  const [batchId = "", ...ids] = newIds(now, groups.length + 1);
  const providerOf = ({ kind, isOnPlatform }: OrderGroup): string =>
    isOnPlatform
      ? PLATFORM_PROVIDER
      : (directory.providerOf(kind.losing_carrier) ?? defaultProvider);
  const orders = groups.map(({ kind, numbers, ...group }, n): Order => ({
    id: ids[n] ?? "",
    account_id: accountId,
    batch_id: batchId,
    status: INITIAL_STATUS,
    closed_by: null,
    closed_reason: null,
    provider: providerOf({ kind, numbers, ...group }),
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
    requirements: newRequirements(kind.country_code, kind.number_type) ?? [],
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
