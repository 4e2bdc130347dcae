import { COUNTRIES } from "../../countries/find-country.ts";

export interface ExceptionCode {
  readonly code: string;
  readonly title: string;
  /** What it means and what to do, in the customer's words. */
  readonly detail: string;
  /** The requirements that it may be about, the likeliest first. */
  readonly slugs: readonly string[];
  /** Who can settle it. */
  readonly owner: "customer" | "desk" | "carrier";
}

/** What a carrier says in words of its own. */
const OTHER: ExceptionCode = {
  code: "other",
  title: "Other",
  detail: "The losing carrier gave a reason of its own.",
  slugs: [],
  owner: "customer",
};

/** The codes with the requirements that more countries than one may have. */
const SHARED: readonly ExceptionCode[] = [
  {
    code: "account_number_mismatch",
    title: "Account number wrong",
    detail:
      "The account number is not the one that the losing carrier has. Copy it from the latest invoice.",
    slugs: ["account_number"],
    owner: "customer",
  },
  {
    code: "pin_invalid",
    title: "PIN wrong",
    detail: "The PIN or passcode is missing or wrong. Ask the losing carrier for it.",
    slugs: ["pin_passcode"],
    owner: "customer",
  },
  {
    code: "auth_person_mismatch",
    title: "Signer not authorised",
    detail:
      "The person who signed is not authorised on the account. Let the authorised person sign.",
    slugs: ["auth_person_name", "loa"],
    owner: "customer",
  },
  {
    code: "entity_name_mismatch",
    title: "Name differs",
    detail: "The end user's or business's name differs from the losing carrier's records.",
    slugs: ["entity_name"],
    owner: "customer",
  },
  {
    code: "address_mismatch",
    title: "Service address differs",
    detail:
      "The service address differs from the losing carrier's records. It is where the line ends, not where the bill goes.",
    slugs: ["service_address"],
    owner: "customer",
  },
  {
    code: "postal_code_mismatch",
    title: "Postal code differs",
    detail: "The postal code differs from the losing carrier's records.",
    slugs: ["service_address", "postal_code"],
    owner: "customer",
  },
  {
    code: "btn_mismatch",
    title: "Billing number wrong",
    detail: "The billing telephone number is not the account's.",
    slugs: ["billing_phone_number"],
    owner: "customer",
  },
  {
    code: "main_btn_porting",
    title: "Billing number leaves",
    detail:
      "The billing number is ported while services remain. Name the account's new billing number.",
    slugs: ["port_type", "new_billing_phone_number"],
    owner: "customer",
  },
  {
    code: "port_type_incorrect",
    title: "Port type wrong",
    detail: "Full or partial, or single or multi-line, does not fit the account.",
    slugs: ["port_type"],
    owner: "customer",
  },
  {
    code: "phone_number_mismatch",
    title: "Number not on the account",
    detail: "A number is not on that account. Drop it or port it by itself.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "number_inactive",
    title: "Number not in service",
    detail: "A number is disconnected or not in service.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "number_not_portable",
    title: "Number not portable",
    detail: "The losing carrier cannot port a number out.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "rate_center_not_portable",
    title: "No coverage",
    detail: "There is no coverage in the number's area.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "pending_order",
    title: "Another order is open",
    detail:
      "The losing carrier has another open order on the account. Have it finished or cancelled first.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "port_freeze",
    title: "Line is locked",
    detail: "A lock or freeze is on the line. Have the losing carrier lift it.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "special_feature",
    title: "Feature on the line",
    detail: "A feature such as DSL, ISDN or a hunt group must be taken off the line first.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "foc_rejected",
    title: "Date not possible",
    detail: "The date cannot be kept. Ask for one at least three business days ahead.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "foc_expired",
    title: "Date lapsed",
    detail: "The confirmed date has lapsed. Ask for a new one.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "loa_invalid",
    title: "LOA not accepted",
    detail:
      "The letter of authorization is missing, illegible, too old or incomplete. Sign a new one.",
    slugs: ["loa"],
    owner: "customer",
  },
  {
    code: "split_required",
    title: "Must be split",
    detail: "The losing carrier wants several orders. The desk will split it.",
    slugs: [],
    owner: "desk",
  },
  {
    code: "carrier_unresponsive",
    title: "Carrier does not answer",
    detail: "The losing carrier has not answered in its interval. The desk is after it.",
    slugs: [],
    owner: "desk",
  },
  {
    code: "lsr_pending",
    title: "Carrier needs time",
    detail: "The losing carrier asks for more time or data. The desk is in touch.",
    slugs: [],
    owner: "desk",
  },
  {
    code: "sv_conflict",
    title: "Conflict at activation",
    detail: "The number's records are in conflict at activation. The desk resolves it.",
    slugs: [],
    owner: "desk",
  },
  {
    code: "sv_failure",
    title: "Activation failed",
    detail: "The activation failed for an unknown reason. The desk looks into it.",
    slugs: [],
    owner: "desk",
  },
  {
    code: "carrier_id_invalid",
    title: "Carrier or porting code wrong",
    detail: "The losing carrier's id or the porting code is wrong.",
    slugs: ["losing_carrier"],
    owner: "customer",
  },
  {
    code: "contact_support",
    title: "Ask the desk",
    detail:
      "The losing carrier wants to speak with somebody. Write to the desk in the order's comments.",
    slugs: [],
    owner: "customer",
  },
  OTHER,
];

/** The fields of countries' own that a code may be about. */
function ownSlugs(code: string): readonly string[] {
  const types = [...COUNTRIES.values()].flatMap((country) => Object.values(country.types));
  const fields = types.flatMap(({ asksFor }) => asksFor);
  const named = fields.filter(({ exception }) => exception === code);
  return [...new Set(named.map(({ slug }) => slug))];
}

/** The canonical codes that desks and carriers reject with, one per way in which a port goes wrong. */
export const EXCEPTION_CATALOGUE: readonly ExceptionCode[] = SHARED.map((one) => {
  return { ...one, slugs: [...one.slugs, ...ownSlugs(one.code)] };
});

const BY_CODE: ReadonlyMap<string, ExceptionCode> = new Map(
  EXCEPTION_CATALOGUE.map((one) => [one.code, one]),
);

/** The catalogue's entry; `other` for a code that it does not have. */
export function findExceptionCode(code: string | null): ExceptionCode {
  return BY_CODE.get(code ?? "") ?? OTHER;
}
