import type { NumberValue, OrderRequirement } from "./requirement.ts";

/** No slug has it, and every number in E.164 begins with it. */
const MARK = "+";

/** What names a number's value where requirements are stored: the slug and the number, `rio_code+33612345678`. */
export function valueKey(slug: string, phoneNumber: string): string {
  return slug + phoneNumber;
}

/** The requirement and the number that a key names; the number is null where the value is the whole order's. */
export function readKey(key: string): {
  readonly slug: string;
  readonly phone_number: string | null;
} {
  const at = key.indexOf(MARK);
  return at < 0
    ? { slug: key, phone_number: null }
    : { slug: key.slice(0, at), phone_number: key.slice(at) };
}

/** A number's value that nobody has given yet. */
export function emptyNumberValue(phone_number: string): NumberValue {
  return {
    phone_number,
    status: "requirement-info-pending",
    exception_reason: null,
    shown_value: null,
  };
}

export function isGiven({ shown_value: value }: NumberValue): boolean {
  return value !== null;
}

/** A requirement with its numbers' values; how it stands as a whole follows from them. */
export function withValues(
  requirement: OrderRequirement,
  values: readonly NumberValue[],
): OrderRequirement {
  const given = values.filter(isGiven);
  const isWhole = requirement.mandatory ? given.length === values.length : given.length > 0;
  const rejected = values.filter(({ status }) => status === "requirement-info-exception");
  const [only] = values;
  return {
    ...requirement,
    values,
    has_value: isWhole,
    shown_value: values.length === 1 && only !== undefined ? only.shown_value : null,
    status: rejected.length > 0 ? "requirement-info-exception" : statusOf(given, isWhole),
    exception_reason: rejected.length > 0 ? reasonOf(rejected, values.length) : null,
  };
}

function statusOf(given: readonly NumberValue[], isWhole: boolean): OrderRequirement["status"] {
  const has = (status: NumberValue["status"]): boolean =>
    given.some((value) => value.status === status);
  if (!isWhole || has("requirement-info-pending")) return "requirement-info-pending";
  return has("requirement-info-under-review") ? "requirement-info-under-review" : "approved";
}

const MOST_NAMED = 10;

/** Names the numbers, unless the order has one alone. */
function reasonOf(rejected: readonly NumberValue[], count: number): string {
  const named = rejected
    .slice(0, MOST_NAMED)
    .map(({ phone_number: number, exception_reason: reason }) =>
      count === 1 ? (reason ?? "") : `${number}: ${reason ?? ""}`,
    );
  const more = rejected.length - named.length;
  return [...named, ...(more > 0 ? [`And ${more} more.`] : [])].join("\n");
}

/** What was found of a requirement: of these numbers' values alone, or, without any, of all that are given. */
interface Finding {
  readonly status: "approved" | "requirement-info-exception";
  readonly reason: string | null;
  readonly phone_numbers: readonly string[] | null;
}

/** The requirement, or the values concerned, with a new status. */
export function judged(
  requirement: OrderRequirement,
  { status, reason, phone_numbers: numbers }: Finding,
): OrderRequirement {
  if (requirement.scope === "order") return { ...requirement, status, exception_reason: reason };
  const named = new Set(numbers);
  const hasAny = requirement.values.some(isGiven);
  const isMeant = (value: NumberValue): boolean =>
    numbers === null ? isGiven(value) || !hasAny : named.has(value.phone_number);
  return withValues(
    requirement,
    requirement.values.map((value) =>
      isMeant(value) ? { ...value, status, exception_reason: reason } : value,
    ),
  );
}

/** A requirement of an order that has these numbers alone: the values of the others are not its own. */
export function onlyOf(
  requirement: OrderRequirement,
  numbers: readonly { readonly phone_number: string }[],
): OrderRequirement {
  if (requirement.scope === "order") return requirement;
  const own = new Set(numbers.map((number) => number.phone_number));
  const values = requirement.values.filter((value) => own.has(value.phone_number));
  return withValues(requirement, values);
}

/** The numbers whose value is missing. */
export function numbersWithout({ values }: Pick<OrderRequirement, "values">): string[] {
  return values.filter((value) => !isGiven(value)).map(({ phone_number: number }) => number);
}
