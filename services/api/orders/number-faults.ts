import type { Fault } from "../../platform/errors.ts";
import type { CarrierDirectory } from "../../domain/carrier/rules/carrier-directory.ts";
import type { HeldReason } from "../portability/check-portability.ts";
import type { NumberType } from "../../domain/countries/number-type.ts";
import { classifyNumber, orderTypeOf } from "../../domain/number/rules/classify-number.ts";
import { profileOf } from "../../domain/requirement/rules/catalogue.ts";

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

/** The kind of order that a number belongs in; null if it is not a valid number. */
export function orderedKindOf(
  number: string,
  { number_type: chosen, losing_carrier }: KindOptions,
  directory: Pick<CarrierDirectory, "carrierOf">,
): OrderedKind | null {
  const kind = classifyNumber(number);
  if (kind === null) return null;
  return {
    country_code: kind.country_code,
    number_type: orderTypeOf(kind, chosen),
    losing_carrier: losing_carrier ?? directory.carrierOf(number),
  };
}

type NumberFault = Omit<Fault, "pointer">;

/** Why a number cannot be ordered by any account; null if it can. `seen` has the numbers before it in the request. */
export function findNumberFault(
  number: string,
  kind: OrderedKind | null,
  seen: ReadonlySet<string>,
): NumberFault | null {
  if (kind === null) return { code: "invalid_number", detail: "It is not a valid E.164 number." };
  if (seen.has(number)) {
    return { code: "duplicate_number", detail: "The number is listed more than once." };
  }
  if (profileOf(kind.country_code, kind.number_type) !== null) return null;
  const detail = `Numbers of country ${kind.country_code} and type ${kind.number_type} cannot be ported yet.`;
  return { code: "country_not_supported", detail };
}

const ALREADY_ACTIVE: NumberFault = {
  code: "already_active",
  detail: "The number is already active on the account.",
};

/** The fault with a pointer to the n-th number of the request body. */
export function atNumber(n: number, fault: NumberFault): Fault {
  return { pointer: `#/phone_numbers/${n}`, ...fault };
}

const IN_LIVE_ORDER: NumberFault = {
  code: "number_in_active_order",
  detail: "The number is in another live order.",
};

/** A fault for each requested number that the account already has or is porting in. */
export function heldNumberFaults(
  requested: readonly string[],
  held: ReadonlySet<string>,
  reason: HeldReason,
): Fault[] {
  const fault = reason === "already_active" ? ALREADY_ACTIVE : IN_LIVE_ORDER;
  return requested.flatMap((number, n) => (held.has(number) ? [atNumber(n, fault)] : []));
}

export interface NumberFacts {
  readonly options: KindOptions;
  readonly directory: Pick<CarrierDirectory, "carrierOf">;
  readonly held: ReadonlyMap<string, HeldReason>;
}

/** The first fault of each requested number; entries that are not strings are skipped. */
export function findNumberFaults(
  requested: readonly unknown[],
  { options, directory, held }: NumberFacts,
): Fault[] {
  const seen = new Set<string>();
  return requested.flatMap((number, n) => {
    if (typeof number !== "string") return [];
    const kind = orderedKindOf(number, options, directory);
    const isActive = held.get(number) === "already_active";
    const fault = findNumberFault(number, kind, seen) ?? (isActive ? ALREADY_ACTIVE : null);
    seen.add(number);
    return fault === null ? [] : [atNumber(n, fault)];
  });
}
