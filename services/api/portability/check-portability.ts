import type { CarrierDirectory } from "../../domain/carrier/rules/carrier-directory.ts";
import { profileOf } from "../../domain/requirement/rules/catalogue.ts";
import type { NumberType } from "../../domain/countries/number-type.ts";
import { classifyNumber, orderTypeOf } from "../../domain/number/rules/classify-number.ts";
import { earliestFoc } from "./earliest-foc.ts";

/** Why the account cannot order a number that it has or is getting already. */
export type HeldReason = "already_active" | "number_in_active_order";

/** Whether a number could be ordered now, as `POST /v2/portability_checks` answers it. */
export interface PortabilityCheck {
  readonly phone_number: string;
  readonly portable: boolean;
  readonly country_code: string | null;
  /** As an order would have it that names no type; null for numbers of a price or purpose of their own. */
  readonly number_type: NumberType | null;
  readonly losing_carrier: string | null;
  readonly reason: "invalid_number" | "country_not_supported" | HeldReason | null;
  /** ISO 8601 with an offset; null where the number is not portable. */
  readonly earliest_foc: string | null;
}

export interface PortabilityFacts {
  readonly held: ReadonlyMap<string, HeldReason>;
  readonly directory: Pick<CarrierDirectory, "carrierOf">;
  readonly now: Date;
}

/** Every number once, in the order in which they are named first; reasons as the creation of an order has them. */
export function checkPortability(
  phoneNumbers: readonly string[],
  facts: PortabilityFacts,
): PortabilityCheck[] {
  return [...new Set(phoneNumbers)].map((number) => checkNumber(number, facts));
}

function checkNumber(phoneNumber: string, facts: PortabilityFacts): PortabilityCheck {
  const kind = classifyNumber(phoneNumber);
  const type = kind === null ? "other" : orderTypeOf(kind, undefined);
  const told = {
    phone_number: phoneNumber,
    country_code: kind?.country_code ?? null,
    number_type: type === "other" ? null : type,
    losing_carrier: kind === null ? null : facts.directory.carrierOf(phoneNumber),
  };
  const refuse = (reason: PortabilityCheck["reason"]): PortabilityCheck => {
    return { ...told, portable: false, reason, earliest_foc: null };
  };
  if (kind === null) return refuse("invalid_number");
  if (type === "other" || profileOf(kind.country_code, type) === null) {
    return refuse("country_not_supported");
  }
  const held = facts.held.get(phoneNumber);
  if (held !== undefined) return refuse(held);
  const ordered = { country_code: kind.country_code, number_type: type };
  return { ...told, portable: true, reason: null, earliest_foc: earliestFoc(ordered, facts.now) };
}
