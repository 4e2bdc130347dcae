import type { ProviderTable } from "./provider-table.ts";

/** The carrier that plays scripted outcomes (services/sandbox-carrier). */
export const SANDBOX: ProviderTable = {
  words: new Map([
    ["RECEIVED", "acknowledged"],
    ["FOC", "date_confirmed"],
    ["FOC_MOVED", "date_moved"],
    ["REJECTED", "rejected"],
    ["REFUSED", "refused"],
    ["IN_CUTOVER", "activating"],
    ["PORTED", "number_active"],
    ["PORT_FAILED", "number_failed"],
    ["CANCELLED", "cancel_confirmed"],
    ["CANCEL_REFUSED", "cancel_refused"],
    ["NOTE", "comment"],
  ]),
  codes: new Map([
    ["ACCOUNT_MISMATCH", "account_number_mismatch"],
    ["PIN_MISMATCH", "pin_invalid"],
    ["NAME_MISMATCH", "entity_name_mismatch"],
    ["ADDRESS_MISMATCH", "address_mismatch"],
    ["NOT_PORTABLE", "number_not_portable"],
    ["SWITCH_FAULT", "sv_failure"],
  ]),
};
