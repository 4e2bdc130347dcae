import type { Fault } from "../../platform/errors.ts";
import { newIds } from "../../platform/ids.ts";
import type { CarrierDirectory } from "../carrier/carrier-directory.ts";
import { classifyNumber, orderTypeOf } from "../number/classify-number.ts";
import type { NumberType } from "../number/classify-number.ts";
import { profileOf } from "../requirement/catalogue.ts";
import { newRequirements } from "../requirement/new-requirements.ts";
import type { Order } from "./order.ts";

export interface OrderRequest {
  readonly phone_numbers: readonly string[];
  readonly number_type?: NumberType | undefined;
  readonly losing_carrier?: string | undefined;
  readonly customer_reference?: string | undefined;
  readonly foc_requested?: string | undefined;
  readonly webhook_url?: string | null | undefined;
}

export interface PlanContext {
  readonly accountId: string;
  /** Of carriers that the directory gives to none. */
  readonly defaultProvider: string;
  readonly directory: CarrierDirectory;
  readonly now: Date;
}

export type OrderPlan =
  | { readonly faults: readonly Fault[] }
  | { readonly batchId: string; readonly orders: readonly Order[] };

/** What sets orders of one request apart. */
interface Kind {
  readonly country_code: string;
  /** "other" has no profile, so that no order is of it. */
  readonly number_type: NumberType | "other";
  readonly losing_carrier: string | null;
}

/** Sorts the numbers of a request into one order per country, number type and losing carrier; or every fault at once. */
export function planOrders(request: OrderRequest, context: PlanContext): OrderPlan {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  const groups = new Map<string, { kind: Kind; numbers: string[] }>();
  request.phone_numbers.forEach((number, n) => {
    const pointer = `#/phone_numbers/${n}`;
    const kind = kindOf(number, request, context.directory);
    if (kind === null) {
      faults.push({ pointer, code: "invalid_number", detail: "It is no valid E.164 number." });
    } else if (seen.has(number)) {
      faults.push({ pointer, code: "duplicate_number", detail: "It is named more than once." });
    } else if (profileOf(kind.country_code, kind.number_type) === null) {
      const detail = `Numbers of the kind ${kind.country_code} ${kind.number_type} cannot be ported yet.`;
      faults.push({ pointer, code: "country_not_supported", detail });
    } else {
      const name = JSON.stringify(Object.values(kind));
      const group = groups.get(name) ?? { kind, numbers: [] };
      group.numbers.push(number);
      groups.set(name, group);
    }
    seen.add(number);
  });
  if (faults.length > 0) return { faults };
  return ordersOf([...groups.values()], request, context);
}

function kindOf(
  number: string,
  { number_type: wished, losing_carrier }: OrderRequest,
  directory: CarrierDirectory,
): Kind | null {
  const kind = classifyNumber(number);
  if (kind === null) return null;
  return {
    country_code: kind.country_code,
    number_type: orderTypeOf(kind, wished),
    losing_carrier: losing_carrier ?? directory.carrierOf(number),
  };
}

function ordersOf(
  groups: readonly { kind: Kind; numbers: readonly string[] }[],
  request: OrderRequest,
  { accountId, defaultProvider, directory, now }: PlanContext,
): OrderPlan {
  const [batchId = "", ...ids] = newIds(now, groups.length + 1);
  const orders = groups.map(({ kind, numbers }, n): Order => ({
    id: ids[n] ?? "",
    account_id: accountId,
    batch_id: batchId,
    status: "draft",
    closed_by: null,
    provider: directory.providerOf(kind.losing_carrier) ?? defaultProvider,
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
