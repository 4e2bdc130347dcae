import { COUNTRIES } from "../../countries/countries.ts";

interface ExceptionCode {
  readonly code: string;
  readonly title: string;
  /** What it means and what to do, written for the customer. */
  readonly detail: string;
  /** The requirements that it may concern, most likely first. */
  readonly slugs: readonly string[];
  /** Who can resolve it. */
  readonly owner: "customer" | "desk" | "carrier";
}

/** Rejections without a canonical code. */
const OTHER: ExceptionCode = {
  code: "other",
  title: "Other",
  detail: "The losing carrier gave its own reason.",
  slugs: [],
  owner: "customer",
};

/** The codes with the requirements that several countries share. */
const SHARED: readonly ExceptionCode[] = [
  {
    code: "account_number_mismatch",
    title: "Account number wrong",
    detail:
      "The account number does not match the losing carrier's records. Copy it from the latest invoice.",
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
      "The person who signed is not authorised on the account. Have the authorised person sign.",
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
      "The service address differs from the losing carrier's records. It is where the line is installed, not the billing address.",
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
    detail: "The billing telephone number does not belong to the account.",
    slugs: ["billing_phone_number"],
    owner: "customer",
  },
  {
    code: "main_btn_porting",
    title: "Billing number leaves",
    detail:
      "The billing number is ported while services remain. Provide a new billing number for the account.",
    slugs: ["port_type", "new_billing_phone_number"],
    owner: "customer",
  },
  {
    code: "port_type_incorrect",
    title: "Port type wrong",
    detail: "The port type (full or partial, single or multi-line) does not match the account.",
    slugs: ["port_type"],
    owner: "customer",
  },
  {
    code: "phone_number_mismatch",
    title: "Number not on the account",
    detail: "A number is not on this account. Remove it or port it separately.",
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
    detail: "The losing carrier cannot port out one of the numbers.",
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
    detail: "The requested date is not possible. Request one at least three business days ahead.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "foc_expired",
    title: "Date lapsed",
    detail: "The confirmed date has lapsed. Request a new one.",
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
    title: "Order must be split",
    detail: "The losing carrier requires several orders. The desk will split the order.",
    slugs: [],
    owner: "desk",
  },
  {
    code: "carrier_unresponsive",
    title: "Carrier does not answer",
    detail: "The losing carrier has not answered in time. The desk is following up.",
    slugs: [],
    owner: "desk",
  },
  {
    code: "lsr_pending",
    title: "Carrier needs time",
    detail: "The losing carrier needs more time or data. The desk is in contact with it.",
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
    detail: "The activation failed for an unknown reason. The desk is investigating.",
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
    title: "Contact the desk",
    detail:
      "The losing carrier wants to speak with someone. Write to the desk in the order's comments.",
    slugs: [],
    owner: "customer",
  },
  {
    code: "tax_id_mismatch",
    title: "Tax id differs",
    detail:
      "The tax id (NIF, CIF, SIRET, social security number) differs from the losing carrier's records.",
    slugs: ["tax_id", "siret"],
    owner: "customer",
  },
  {
    code: "access_type_incorrect",
    title: "Type of access wrong",
    detail: "The type of access does not match how the losing carrier connects the numbers.",
    slugs: ["access_type"],
    owner: "customer",
  },
  {
    code: "birth_date_mismatch",
    title: "Birth date differs",
    detail: "The birth date differs from the losing carrier's records.",
    slugs: ["birth_date"],
    owner: "customer",
  },
  {
    code: "reseller_mismatch",
    title: "A reseller has the account",
    detail:
      "The losing carrier has another company on record, of which the end user's provider buys. Give the name that is on record.",
    slugs: ["entity_name"],
    owner: "customer",
  },
  {
    code: "all_data_mismatch",
    title: "Nothing matches",
    detail:
      "Nothing of name, address and account matches the losing carrier's records. Compare them all with its latest invoice.",
    slugs: ["account_number", "entity_name", "service_address"],
    owner: "customer",
  },
  {
    code: "different_accounts",
    title: "Several accounts",
    detail:
      "The numbers are on several accounts of the losing carrier. The desk will split the order.",
    slugs: [],
    owner: "desk",
  },
  {
    code: "different_rate_centers",
    title: "Several areas",
    detail:
      "The numbers belong to several areas, which need an order each. The desk will split the order.",
    slugs: [],
    owner: "desk",
  },
  {
    code: "associated_numbers_missing",
    title: "Other numbers on the line",
    detail: "Other numbers are on the same line. Say what becomes of them, or port them too.",
    slugs: ["associated_numbers"],
    owner: "customer",
  },
  {
    code: "porting_code_expired",
    title: "Porting code has lapsed",
    detail: "The porting code is no longer valid. Get a new one from the losing carrier.",
    slugs: ["pac_code", "rio_code"],
    owner: "customer",
  },
  {
    code: "newer_authorization",
    title: "A newer letter is with the carrier",
    detail:
      "The losing carrier has a letter of authorization with a later date. Sign a new one if the port is still wanted.",
    slugs: ["loa"],
    owner: "customer",
  },
  {
    code: "range_incomplete",
    title: "Range not complete",
    detail:
      "The numbers are part of a range that moves as a whole. Order all of it, or say which part stays.",
    slugs: ["port_type"],
    owner: "customer",
  },
  {
    code: "carrier_delay",
    title: "Carrier is delayed",
    detail:
      "The losing carrier needs longer: work load, an outage, or it was closed. Nothing has to be done.",
    slugs: [],
    owner: "carrier",
  },
  OTHER,
];

/** What a carrier tells as a rejection and is none: the order waits on. */
export const INFORMATION = "carrier_delay";

/** The country-specific requirements that a code may concern. */
function ownSlugs(code: string): readonly string[] {
  const types = [...COUNTRIES.values()].flatMap((country) => Object.values(country.types));
  const fields = types.flatMap(({ requirements }) => requirements);
  const named = fields.filter(({ exception }) => exception === code);
  return [...new Set(named.map(({ slug }) => slug))];
}

/** The canonical codes with which the desk and carriers reject orders. */
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
