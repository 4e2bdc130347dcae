import type { Fault } from "../../platform/errors.ts";
import type { CarrierDirectory } from "../../domain/carrier/rules/carrier-directory.ts";
import type { HeldReason } from "../portability/check-portability.ts";
import type { NumberType } from "../../domain/countries/number-type.ts";
import { classifyNumber, orderTypeOf } from "../../domain/number/rules/classify-number.ts";
import { profileOf } from "../../domain/requirement/rules/catalogue.ts";

/** What sets orders of one request apart. */
export interface OrderedKind {
  readonly country_code: string;
  /** "other" has no profile, so that no order is of it. */
  readonly number_type: NumberType | "other";
  readonly losing_carrier: string | null;
}

/** What a request says of all its numbers. */
export interface KindWishes {
  readonly number_type?: NumberType | undefined;
  readonly losing_carrier?: string | undefined;
}

/** The kind that a number's order is of; null where it is no number. */
export function orderedKindOf(
  number: string,
  { number_type: wished, losing_carrier }: KindWishes,
  directory: Pick<CarrierDirectory, "carrierOf">,
): OrderedKind | null {
  const kind = classifyNumber(number);
  if (kind === null) return null;
  return {
    country_code: kind.country_code,
    number_type: orderTypeOf(kind, wished),
    losing_carrier: losing_carrier ?? directory.carrierOf(number),
  };
}

type NumberFault = Omit<Fault, "pointer">;

/** Why a number cannot be ordered whoever has it; null where it can. `seen` are those named before it. */
export function findNumberFault(
  number: string,
  kind: OrderedKind | null,
  seen: ReadonlySet<string>,
): NumberFault | null {
  if (kind === null) return { code: "invalid_number", detail: "It is no valid E.164 number." };
  if (seen.has(number)) {
    return { code: "duplicate_number", detail: "It is named more than once." };
  }
  if (profileOf(kind.country_code, kind.number_type) !== null) return null;
  const detail = `Numbers of the kind ${kind.country_code} ${kind.number_type} cannot be ported yet.`;
  return { code: "country_not_supported", detail };
}

const ALREADY_ACTIVE: NumberFault = {
  code: "already_active",
  detail: "The number is active on the account already.",
};

/** Where the n-th number of a request stands in its body. */
export function atNumber(n: number, fault: NumberFault): Fault {
  return { pointer: `#/phone_numbers/${n}`, ...fault };
}

const IN_LIVE_ORDER: NumberFault = {
  code: "number_in_active_order",
  detail: "The number is in another live order.",
};

/** A fault for each of a request's numbers that the account has already, or is getting. */
export function heldNumberFaults(
  requested: readonly string[],
  held: ReadonlySet<string>,
  reason: HeldReason,
): Fault[] {
  const fault = reason === "already_active" ? ALREADY_ACTIVE : IN_LIVE_ORDER;
  return requested.flatMap((number, n) => (held.has(number) ? [atNumber(n, fault)] : []));
}

export interface NumberFacts {
  readonly wishes: KindWishes;
  readonly directory: Pick<CarrierDirectory, "carrierOf">;
  readonly held: ReadonlyMap<string, HeldReason>;
}

/** Every fault of a request's numbers, one for each; what is no text has none here. */
export function findNumberFaults(
  requested: readonly unknown[],
  { wishes, directory, held }: NumberFacts,
): Fault[] {
  const seen = new Set<string>();
  return requested.flatMap((number, n) => {
    if (typeof number !== "string") return [];
    const kind = orderedKindOf(number, wishes, directory);
    const isActive = held.get(number) === "already_active";
    const fault = findNumberFault(number, kind, seen) ?? (isActive ? ALREADY_ACTIVE : null);
    seen.add(number);
    return fault === null ? [] : [atNumber(n, fault)];
  });
}
