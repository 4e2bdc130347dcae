import type { LetterPart } from "../../countries/fields/requirement-definition.ts";
import { definitionOf, ORDER_KINDS } from "../../requirement/rules/catalogue.ts";
import type { Blocker } from "../../requirement/rules/readiness.ts";
import type { OrderRequirement } from "../../requirement/rules/requirement.ts";
import type { Order } from "./order.ts";

/** Who takes the numbers over, as the letter names it. */
export interface GainingCarrier {
  readonly name: string;
  /** The organization that toll-free numbers pass to; null where there is none. */
  readonly respOrgId: string | null;
}

/** One line of the form; `value` is null where it is still missing. Lines of an address are divided by `\n`. */
export interface LoaField {
  readonly slug: string;
  readonly label: string;
  readonly value: string | null;
}

/** All that a letter of authorization states of an order, as plain data. */
export interface LoaContent {
  readonly order_id: string;
  readonly country_code: string;
  readonly number_type: string;
  readonly customer: readonly LoaField[];
  readonly service: readonly LoaField[];
  readonly phone_numbers: readonly string[];
}

/** How it was signed. */
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

/** What the order asks for and a part of the letter states, as it is asked for. */
function statedIn(part: LetterPart, { requirements }: Order): readonly OrderRequirement[] {
  return requirements.filter(({ slug }) => LETTER_PARTS.get(slug) === part);
}

const UNNAMED_CARRIER = "The provider that serves the numbers today";
const UNNAMED_HOLDER = "The holder of the account with the current provider";

/**
 * What the letter states (47 CFR 64.1130 and what carriers ask for beside it). Sensitive values are stated as they
 * may be read back: the letter can be downloaded, and the carrier is given them with the request.
 */
export function loaContentOf(order: Order): LoaContent {
  const customer = fieldsOf(order, statedIn("customer", order));
  const service = fieldsOf(order, [...statedIn("account", order), ...statedIn("line", order)]);
  const holder = { slug: "entity_name", label: "Account holder", value: UNNAMED_HOLDER };
  const carrier = {
    slug: "losing_carrier",
    label: "Current provider",
    value: order.losing_carrier ?? UNNAMED_CARRIER,
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

function has(fields: readonly LoaField[], slug: string): boolean {
  return fields.some((field) => field.slug === slug);
}

/** What must have a value before the letter can be signed, and has none. */
export function missingForLoa(order: Order): readonly Blocker[] {
  const parts = ["customer", "account", "line"] as const;
  const stated = parts.flatMap((part) => statedIn(part, order));
  return stated
    .filter(({ mandatory, has_value: hasValue }) => mandatory && !hasValue)
    .map(({ slug }) => {
      return {
        slug,
        code: "missing",
        detail: "The letter must state it, and it has no value yet.",
      };
    });
}

/** Lines of the form; an optional field only where it has a value. */
function fieldsOf(order: Order, stated: readonly OrderRequirement[]): LoaField[] {
  const shown = stated.filter(({ mandatory, has_value: hasValue }) => mandatory || hasValue);
  return shown.map(({ slug, shown_value: value }) => {
    const definition = definitionOf(order, slug);
    const name = definition?.name ?? slug;
    const label = definition?.sensitivity === "masked" ? `${name} (last 4 characters)` : name;
    return { slug, label, value };
  });
}
