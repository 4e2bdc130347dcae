import { inSlices } from "../../platform/in-slices.ts";
import type { Fault } from "../../platform/errors.ts";
import type { CarrierDirectory } from "../../domain/carrier/rules/carrier-directory.ts";
import type { UnavailableReason } from "../portability/check-portability.ts";
import type { NumberType } from "../../domain/countries/number-type.ts";
import {
  classifyNumber,
  contradictsPlan,
  orderTypeOf,
  type NumberKind,
} from "../../domain/number/rules/classify-number.ts";
import { profileOf, unsupportedKind } from "../../domain/requirement/rules/catalogue.ts";

/** Numbers that differ in one of these go into separate orders. */
export interface OrderedKind {
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

type NumberFault = Omit<Fault, "pointer">;

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

const ALREADY_ACTIVE: NumberFault = {
  code: "already_active",
  detail: "The number is already active on the account, so it cannot be ported in again.",
};

/** The fault with a pointer to the n-th number of the request body. */
export function atNumber(n: number, fault: NumberFault): Fault {
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

export interface NumberFacts {
  readonly options: KindOptions;
  readonly directory: Pick<CarrierDirectory, "carrierOf" | "rangeOf">;
  readonly unavailable: ReadonlyMap<string, UnavailableReason>;
}

/** The first fault of each requested number; entries that are not strings are faults of the schema. */
export async function findNumberFaults(
  requested: readonly unknown[],
  { options, directory, unavailable }: NumberFacts,
): Promise<Fault[]> {
  const seen = new Set<string>();
  const faults = await inSlices(requested, SLICE, (number, n) => {
    if (typeof number !== "string") return [];
    const located = locateNumber(number, options, directory);
    const isActive = unavailable.get(number) === "already_active";
    const fault = findNumberFault(number, located, seen) ?? (isActive ? ALREADY_ACTIVE : null);
    seen.add(number);
    return fault === null ? [] : [atNumber(n, fault)];
  });
  return faults.flat();
}
