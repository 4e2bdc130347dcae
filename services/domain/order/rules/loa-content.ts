import { MANUAL_CARRIER } from "../../carrier/rules/carrier-directory.ts";
import type { LetterPart } from "../../countries/fields/requirement-definition.ts";
import { definitionOf, ORDER_KINDS } from "../../requirement/rules/catalogue.ts";
import type { Blocker } from "../../requirement/rules/readiness.ts";
import type { OrderRequirement } from "../../requirement/rules/requirement.ts";
import type { Order } from "./order.ts";

/** The gaining carrier as the letter names it. */
export interface GainingCarrier {
  readonly name: string;
  /** The RespOrg that takes over toll-free numbers; null if there is none. */
  readonly respOrgId: string | null;
}

/** One line of the form; `value` is null while it is missing. Address lines are separated by `\n`. */
export interface LoaField {
  readonly slug: string;
  readonly label: string;
  readonly value: string | null;
  /** Whether the value is only the last characters. */
  readonly is_masked?: true;
}

/** Everything that a letter of authorization states about an order, as plain data. */
export interface LoaContent {
  readonly order_id: string;
  readonly country_code: string;
  readonly number_type: string;
  readonly customer: readonly LoaField[];
  readonly service: readonly LoaField[];
  readonly phone_numbers: readonly string[];
}

/** Who signed a letter, and when. */
export interface LoaSignature {
  readonly signer_name: string;
  readonly signer_title: string | null;
  readonly signed_at: Date;
}

const LETTER_PARTS: ReadonlyMap<string, LetterPart> = new Map(
  ORDER_KINDS.flatMap(({ profile }) => profile).flatMap(({ slug, letter }) =>
    letter === undefined ? [] : [[slug, letter] as const],
  ),
);

/**
 * The order's requirements that one part of the letter states, in the order's sequence. What each of several numbers has
 * of its own reaches the carrier with the request alone.
 */
function statedIn(part: LetterPart, { requirements }: Order): readonly OrderRequirement[] {
  return requirements.filter(
    ({ slug, values }) => LETTER_PARTS.get(slug) === part && values.length <= 1,
  );
}

export const UNNAMED_CARRIER = "The provider that serves the numbers today";
export const UNNAMED_HOLDER = "The holder of the account with the current provider";

/**
 * The content of the letter (47 CFR 64.1130 and what carriers require in addition). Sensitive values are masked, because
 * the letter can be downloaded; the carrier receives them in full with the request.
 */
export function loaContentOf(order: Order): LoaContent {
  const customer = fieldsOf(order, statedIn("customer", order));
  const service = fieldsOf(order, [...statedIn("account", order), ...statedIn("line", order)]);
  const holder = { slug: "entity_name", label: "Account holder", value: UNNAMED_HOLDER };
  const carrier = {
    slug: "losing_carrier",
    label: "Current provider",
    value: namedCarrier(order) ?? UNNAMED_CARRIER,
  };
  return {
    order_id: order.id,
    country_code: order.country_code,
    number_type: order.number_type,
    customer: has(customer, "entity_name") ? customer : [holder, ...customer],
    service: has(service, "losing_carrier") ? service : [carrier, ...service],
    phone_numbers: order.numbers.map((number) => number.phone_number),
  };
}

function namedCarrier({ losing_carrier: name }: Order): string | null {
  return name?.toLowerCase() === MANUAL_CARRIER ? null : name;
}

function has(fields: readonly LoaField[], slug: string): boolean {
  return fields.some((field) => field.slug === slug);
}

/** Requirements that must have a value before the letter can be signed, but have none. */
export function missingForLoa(order: Order): readonly Blocker[] {
  const parts = ["customer", "account", "line"] as const;
  const stated = parts.flatMap((part) => statedIn(part, order));
  return stated
    .filter(({ mandatory, has_value: hasValue }) => mandatory && !hasValue)
    .map(({ slug }) => {
      return {
        slug,
        code: "missing",
        detail: "The letter must state this value, which is still missing.",
      };
    });
}

/** Lines of the form; optional requirements only if they have a value. */
function fieldsOf(order: Order, stated: readonly OrderRequirement[]): LoaField[] {
  const shown = stated.filter(({ mandatory, has_value: hasValue }) => mandatory || hasValue);
  return shown.map(({ slug, shown_value: value }) => {
    const definition = definitionOf(order, slug);
    const label = definition?.name ?? slug;
    const field = { slug, label, value };
    return definition?.sensitivity === "masked" ? { ...field, is_masked: true } : field;
  });
}
