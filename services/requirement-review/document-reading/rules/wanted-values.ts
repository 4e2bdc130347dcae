import { MATCHED, SLUG_OF, type Matched } from "../../../domain/document/rules/check-result.ts";
import { numberParts } from "./national-number.ts";
import { maskValue } from "../../../domain/requirement/rules/requirement.ts";
import type { Wanted } from "./find-values.ts";

const BILL: readonly Matched[] = [
  "phone_number",
  "entity_name",
  "service_address",
  "account_number",
];

/** What a good document of a kind states; any other is looked through for everything. */
const EXPECTED: Readonly<Record<string, readonly Matched[]>> = {
  invoice: BILL,
  csr: BILL,
  proof_of_address: ["entity_name", "service_address"],
  id_document: ["signer"],
  registration_certificate: ["entity_name"],
  kbis: ["entity_name"],
  allocation_certificate: ["phone_number", "entity_name"],
};

export interface OrderValues {
  readonly phoneNumbers: readonly string[];
  /** Whole values of requirements by slug. */
  readonly values: ReadonlyMap<string, string>;
}

/** What to look for in the document of a requirement. Our own letter states the account number masked. */
export function wantedIn(slug: string, { phoneNumbers, values }: OrderValues): Wanted[] {
  return (EXPECTED[slug] ?? MATCHED).flatMap((what): Wanted[] => {
    if (what === "phone_number") {
      return phoneNumbers.map((number) => ({ what, number, parts: numberParts(number) }));
    }
    const value = values.get(SLUG_OF[what]);
    if (value === undefined || value.trim() === "") return [];
    const masked = maskValue(value, "masked");
    const isMasked =
      slug === "loa" && what === "account_number" && masked !== maskValue("", "masked");
    return [isMasked ? { what, value, orAs: masked } : { what, value }];
  });
}
