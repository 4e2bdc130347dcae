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

function exception(
  code: string,
  [title, detail]: readonly [string, string],
  owner: ExceptionCode["owner"],
  slugs: readonly string[] = [],
): ExceptionCode {
  return { code, title, detail, slugs, owner };
}

/** The canonical codes that desks and carriers reject with, one per way in which a port goes wrong. */
export const EXCEPTION_CATALOGUE: readonly ExceptionCode[] = [
  exception(
    "account_number_mismatch",
    [
      "Account number wrong",
      "The account number is not the one that the losing carrier has. Copy it from the latest invoice.",
    ],
    "customer",
    ["account_number"],
  ),
  exception(
    "pin_invalid",
    ["PIN wrong", "The PIN or passcode is missing or wrong. Ask the losing carrier for it."],
    "customer",
    ["pin_passcode"],
  ),
  exception(
    "auth_person_mismatch",
    [
      "Signer not authorised",
      "The person who signed is not authorised on the account. Let the authorised person sign.",
    ],
    "customer",
    ["auth_person_name", "loa"],
  ),
  exception(
    "entity_name_mismatch",
    [
      "Name differs",
      "The end user's or business's name differs from the losing carrier's records.",
    ],
    "customer",
    ["entity_name"],
  ),
  exception(
    "address_mismatch",
    [
      "Service address differs",
      "The service address differs from the losing carrier's records. It is where the line ends, not where the bill goes.",
    ],
    "customer",
    ["service_address"],
  ),
  exception(
    "postal_code_mismatch",
    ["Postal code differs", "The postal code differs from the losing carrier's records."],
    "customer",
    ["service_address", "postal_code"],
  ),
  exception(
    "btn_mismatch",
    ["Billing number wrong", "The billing telephone number is not the account's."],
    "customer",
    ["billing_phone_number"],
  ),
  exception(
    "main_btn_porting",
    [
      "Billing number leaves",
      "The billing number is ported while services remain. Name the account's new billing number.",
    ],
    "customer",
    ["port_type", "new_billing_phone_number"],
  ),
  exception(
    "port_type_incorrect",
    ["Port type wrong", "Full or partial, or single or multi-line, does not fit the account."],
    "customer",
    ["port_type", "line_type"],
  ),
  exception(
    "phone_number_mismatch",
    ["Number not on the account", "A number is not on that account. Drop it or port it by itself."],
    "customer",
  ),
  exception(
    "number_inactive",
    ["Number not in service", "A number is disconnected or not in service."],
    "customer",
  ),
  exception(
    "number_not_portable",
    ["Number not portable", "The losing carrier cannot port a number out."],
    "customer",
  ),
  exception(
    "rate_center_not_portable",
    ["No coverage", "There is no coverage in the number's area."],
    "customer",
  ),
  exception(
    "pending_order",
    [
      "Another order is open",
      "The losing carrier has another open order on the account. Have it finished or cancelled first.",
    ],
    "customer",
  ),
  exception(
    "port_freeze",
    ["Line is locked", "A lock or freeze is on the line. Have the losing carrier lift it."],
    "customer",
  ),
  exception(
    "special_feature",
    [
      "Feature on the line",
      "A feature such as DSL, ISDN or a hunt group must be taken off the line first.",
    ],
    "customer",
  ),
  exception(
    "foc_rejected",
    [
      "Date not possible",
      "The date cannot be kept. Ask for one at least three business days ahead.",
    ],
    "customer",
  ),
  exception(
    "foc_expired",
    ["Date lapsed", "The confirmed date has lapsed. Ask for a new one."],
    "customer",
  ),
  exception(
    "loa_invalid",
    [
      "LOA not accepted",
      "The letter of authorization is missing, illegible, too old or incomplete. Sign a new one.",
    ],
    "customer",
    ["loa"],
  ),
  exception(
    "split_required",
    ["Must be split", "The losing carrier wants several orders. The desk will split it."],
    "desk",
  ),
  exception(
    "carrier_unresponsive",
    [
      "Carrier does not answer",
      "The losing carrier has not answered in its interval. The desk is after it.",
    ],
    "desk",
  ),
  exception(
    "lsr_pending",
    ["Carrier needs time", "The losing carrier asks for more time or data. The desk is in touch."],
    "desk",
  ),
  exception(
    "sv_conflict",
    [
      "Conflict at activation",
      "The number's records are in conflict at activation. The desk resolves it.",
    ],
    "desk",
  ),
  exception(
    "sv_failure",
    ["Activation failed", "The activation failed for an unknown reason. The desk looks into it."],
    "desk",
  ),
  exception(
    "carrier_id_invalid",
    ["Carrier or porting code wrong", "The losing carrier's id or the porting code is wrong."],
    "customer",
    ["losing_carrier", "rio_code", "pac_code"],
  ),
  exception(
    "contact_support",
    [
      "Ask the desk",
      "The losing carrier wants to speak with somebody. Write to the desk in the order's comments.",
    ],
    "customer",
  ),
  exception("other", ["Other", "The losing carrier gave a reason of its own."], "customer"),
];

const BY_CODE: ReadonlyMap<string, ExceptionCode> = new Map(
  EXCEPTION_CATALOGUE.map((one) => [one.code, one]),
);

const OTHER: ExceptionCode = BY_CODE.get("other") ?? exception("other", ["Other", ""], "customer");

/** The catalogue's entry; `other` for a code that it does not have. */
export function findExceptionCode(code: string | null): ExceptionCode {
  return BY_CODE.get(code ?? "") ?? OTHER;
}
