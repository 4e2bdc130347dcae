/** The values of an order that are looked for in the text of its documents. */
export const MATCHED = [
  "phone_number",
  "entity_name",
  "service_address",
  "account_number",
  "signer",
] as const;

export type Matched = (typeof MATCHED)[number];

/** The requirement whose value each is; the phone numbers are the order's. */
export const SLUG_OF = {
  entity_name: "entity_name",
  service_address: "service_address",
  account_number: "account_number",
  signer: "auth_person_name",
} as const satisfies Record<Exclude<Matched, "phone_number">, string>;

/** Where a value was found; it does not repeat the value, which may be sensitive. */
export interface FoundValue {
  readonly what: Matched;
  /** In E.164, of a phone number; else null. */
  readonly number: string | null;
  /** Null where the document has no text, or was not read whole. */
  readonly found: boolean | null;
  /** The first page that holds it, from 1. */
  readonly page: number | null;
}
