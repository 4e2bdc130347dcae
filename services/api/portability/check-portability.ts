import type { CarrierDirectory } from "../../domain/carrier/rules/carrier-directory.ts";
import { earliestFoc, type PortedKind } from "../../domain/number/rules/port-date.ts";
import { inSlices } from "../../platform/in-slices.ts";
import { findNumberFault, locateNumber, SLICE, type KindOptions } from "../orders/number-faults.ts";

/** Why the account cannot order a number that it already has or is porting in. */
export type UnavailableReason = "already_active" | "number_in_active_order";

export interface PortabilityFacts {
  readonly unavailable: ReadonlyMap<string, UnavailableReason>;
  readonly directory: Pick<CarrierDirectory, "carrierOf" | "rangeOf">;
  /** What the request specifies for all of its numbers. */
  readonly options: Pick<KindOptions, "number_type">;
  readonly now: Date;
}

/** Each number once, in order of first appearance; the reasons are the codes that creating an order would return. */
export function checkPortability(phoneNumbers: readonly string[], facts: PortabilityFacts) {
  const dates = earliestDates(facts.now);
  const numbers = [...new Set(phoneNumbers)];
  return inSlices(numbers, SLICE, (number) => checkNumber(number, dates, facts));
}

type EarliestDates = (kind: PortedKind) => string | null;

/** Holidays are counted once for each kind of number, however many numbers a request has. */
function earliestDates(now: Date): EarliestDates {
  const known = new Map<string, string | null>();
  return (kind) => {
    const key = `${kind.country_code} ${kind.number_type}`;
    const date = known.get(key);
    if (date !== undefined) return date;
    const counted = earliestFoc(kind, now);
    known.set(key, counted);
    return counted;
  };
}

function checkNumber(
  phoneNumber: string,
  earliest: EarliestDates,
  { unavailable, directory, options }: PortabilityFacts,
) {
  const located = locateNumber(phoneNumber, options, directory);
  const fault = findNumberFault(phoneNumber, located, new Set());
  const reason = fault?.code ?? unavailable.get(phoneNumber) ?? null;
  const { country_code = null, losing_carrier = null } = located?.kind ?? {};
  const type = located?.kind.number_type ?? "other";
  const number_type = type === "other" ? null : type;
  const portable = reason === null && country_code !== null && number_type !== null;
  return {
    phone_number: phoneNumber,
    portable,
    country_code,
    number_type,
    losing_carrier,
    reason,
    earliest_foc: portable ? earliest({ country_code, number_type }) : null,
  };
}
