import type { NumberType } from "../../domain/countries/number-type.ts";
import { findCountry } from "../../domain/countries/countries.ts";
import {
  classifyNumber,
  contradictsPlan,
  orderTypeOf,
  type RangeOf,
} from "../../domain/number/rules/classify-number.ts";
import type { KnownNumber } from "./store.ts";

/** A number from elsewhere, as an operator gives it. */
export interface GivenNumber {
  readonly phone_number: string;
  readonly provider: string;
  readonly number_type?: NumberType | undefined;
  readonly activated_at?: Date | undefined;
}

/** A number that can be imported. */
export interface PlannedNumber {
  readonly phone_number: string;
  readonly country_code: string;
  readonly number_type: string;
  readonly provider: string;
  readonly activated_at: Date;
}

/** Why a number of the request is not imported. */
export interface ImportFault {
  readonly pointer: string;
  readonly phone_number: string;
  readonly code: string;
  readonly detail: string;
}

interface ImportPlan {
  readonly numbers: readonly PlannedNumber[];
  readonly errors: readonly ImportFault[];
}

interface PlanContext {
  readonly rangeOf: RangeOf;
  /** The providers that host numbers. */
  readonly hosts: readonly string[];
  readonly now: Date;
}

type Fault = Omit<ImportFault, "phone_number">;

/** Sorts what is given into numbers that can be imported and faults, by what each says of itself. */
export function planImport(given: readonly GivenNumber[], context: PlanContext): ImportPlan {
  const numbers = new Map<string, PlannedNumber>();
  const errors: ImportFault[] = [];
  for (const [n, one] of given.entries()) {
    const { phone_number } = one;
    const planned = numbers.has(phone_number) ? REPEATED : planNumber(one, context);
    if ("code" in planned) {
      const { pointer, ...fault } = planned;
      errors.push({ pointer: `#/numbers/${n}/${pointer}`, phone_number, ...fault });
    } else numbers.set(phone_number, planned);
  }
  return { numbers: [...numbers.values()], errors };
}

const REPEATED: Fault = {
  pointer: "phone_number",
  code: "duplicate_number",
  detail: "The number is in the request twice.",
};

function planNumber(one: GivenNumber, { rangeOf, hosts, now }: PlanContext): PlannedNumber | Fault {
  const { phone_number, provider, number_type: chosen, activated_at = now } = one;
  const at = (name: string, code: string, detail: string): Fault => ({
    pointer: name,
    code,
    detail,
  });
  const kind = classifyNumber(phone_number, rangeOf);
  if (kind === null) return at("phone_number", "invalid_number", "It is not a valid E.164 number.");
  const { country_code } = kind;
  const number_type = orderTypeOf(kind, chosen);
  if (findCountry(country_code) === null || number_type === "other") {
    const detail = `Numbers of this kind (${country_code}) are not supported.`;
    return at("phone_number", "country_not_supported", detail);
  }
  if (chosen !== undefined && contradictsPlan(kind, chosen)) {
    const detail = `By its country's numbering plan it is ${kind.number_type ?? "local or mobile"}.`;
    return at("number_type", "number_type_mismatch", detail);
  }
  if (!hosts.includes(provider)) {
    const detail = `No provider ${JSON.stringify(provider)} hosts numbers; there are ${hosts.join(", ")}.`;
    return at("provider", "unknown_provider", detail);
  }
  if (activated_at > now) return at("activated_at", "invalid_value", "It is in the future.");
  return { phone_number, country_code, number_type, provider, activated_at };
}

interface SettledImport {
  /** Those that the account does not have yet. */
  readonly added: readonly PlannedNumber[];
  /** How many the account has now, with those that it had at this provider before. */
  readonly accepted: number;
  readonly errors: readonly ImportFault[];
}

interface Settling {
  readonly given: readonly GivenNumber[];
  readonly accountId: string;
  readonly known: readonly KnownNumber[];
}

/** What remains of a plan, by who has the numbers now; a number that is imported again stays as it is. */
export function settleImport(
  { numbers, errors }: ImportPlan,
  { given, accountId, known }: Settling,
): SettledImport {
  const facts = new Map(known.map((one) => [one.phone_number, one]));
  const places = new Map(given.map((one, n) => [one.phone_number, n] as const).toReversed());
  const added: PlannedNumber[] = [];
  const refused: ImportFault[] = [];
  for (const number of numbers) {
    const { phone_number } = number;
    const fault = heldFault(number, accountId, facts.get(phone_number));
    if (fault === null) added.push(number);
    else if (fault !== "same") {
      const pointer = `#/numbers/${places.get(phone_number) ?? 0}/phone_number`;
      refused.push({ pointer, phone_number, ...fault });
    }
  }
  return { added, accepted: numbers.length - refused.length, errors: [...errors, ...refused] };
}

function heldFault(
  { provider }: PlannedNumber,
  accountId: string,
  known: KnownNumber | undefined,
): Omit<Fault, "pointer"> | "same" | null {
  if (known === undefined) return null;
  const code = "already_active";
  if (known.account_id === accountId) {
    if (known.provider === provider) return "same";
    const detail = `The account has it at provider ${known.provider ?? ""}; change its provider.`;
    return { code, detail };
  }
  if (known.account_id !== null) return { code, detail: "Another account has it." };
  if (!known.in_live_order) return null;
  return { code: "number_in_active_order", detail: "It is in a live porting order." };
}
