import type { CarrierDirectory } from "../../domain/carrier/rules/carrier-directory.ts";
import { earliestFoc } from "../../domain/number/rules/port-date.ts";
import { findNumberFault, placeNumber, type KindOptions } from "../orders/number-faults.ts";

/** Why the account cannot order a number that it already has or is porting in. */
export type HeldReason = "already_active" | "number_in_active_order";

export interface PortabilityFacts {
  readonly held: ReadonlyMap<string, HeldReason>;
  readonly directory: Pick<CarrierDirectory, "carrierOf">;
  /** What the request specifies for all of its numbers. */
  readonly options: Pick<KindOptions, "number_type">;
  readonly now: Date;
}

/** Each number once, in order of first appearance; the reasons are the codes that creating an order would return. */
export function checkPortability(phoneNumbers: readonly string[], facts: PortabilityFacts) {
  return [...new Set(phoneNumbers)].map((number) => checkNumber(number, facts));
}

function checkNumber(phoneNumber: string, { held, directory, options, now }: PortabilityFacts) {
  const placed = placeNumber(phoneNumber, options, directory);
  const fault = findNumberFault(phoneNumber, placed, new Set());
  const reason = fault?.code ?? held.get(phoneNumber) ?? null;
  const { country_code = null, losing_carrier = null } = placed?.kind ?? {};
  const type = placed?.kind.number_type ?? "other";
  const number_type = type === "other" ? null : type;
  const portable = reason === null && country_code !== null && number_type !== null;
  return {
    phone_number: phoneNumber,
    portable,
    country_code,
    number_type,
    losing_carrier,
    reason,
    earliest_foc: portable ? earliestFoc({ country_code, number_type }, now) : null,
  };
}
