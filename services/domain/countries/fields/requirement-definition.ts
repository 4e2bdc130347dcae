import type { Code } from "./code.ts";

export type FieldType = "document" | "text" | "address" | "date" | "choice";

/** Who may read a value back: everybody of the account, only its last 4 characters, or nobody. */
export type Sensitivity = "no" | "masked" | "hidden";

/** What a value must look like; `acceptance_criteria` of the API is made from it. */
export type ValueFormat =
  | {
      readonly format: "text";
      readonly minLength: number;
      readonly maxLength: number;
      /** Absent where any printable text will do; the pattern is anchored, the form says it in words. */
      readonly shape?: { readonly pattern: RegExp; readonly form: string };
    }
  | { readonly format: "code"; readonly code: Code }
  | { readonly format: "phone_number" }
  | ({ readonly format: "address" } & AddressFormat)
  | { readonly format: "date" }
  | { readonly format: "choice"; readonly options: readonly string[] }
  | {
      readonly format: "document";
      /** Largest age on the day of submission, in days; null where it does not matter. */
      readonly maxAgeDays: number | null;
    };

/** Where an address may lie; its third line is the administrative area and the postal code. */
export interface AddressFormat {
  /** Two letters, the fourth line. */
  readonly country: string;
  /** Of the administrative area in upper case; null where addresses need not name one. */
  readonly area: RegExp | null;
  readonly postalCode: Code;
}

/** Where the letter of authorization states a value: who the customer is, its account, or how the line is set up. */
export type LetterPart = "customer" | "account" | "line";

/** What one kind of order asks for in one field (docs/contract/customer-api.md, Porting orders). */
export interface RequirementDefinition {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly mandatory: boolean;
  readonly sensitivity: Sensitivity;
  /** A value that is accepted; for a document, what it should be. */
  readonly example: string;
  readonly value: ValueFormat;
  /** Absent where the letter of authorization does not state it. */
  readonly letter?: LetterPart;
  /** Canonical code that a carrier rejects a wrong value with, for a field of one country's own. */
  readonly exception?: string;
}

const FIELD_TYPES = {
  text: "text",
  code: "text",
  phone_number: "text",
  address: "address",
  date: "date",
  choice: "choice",
  document: "document",
} as const satisfies Record<ValueFormat["format"], FieldType>;

export function fieldTypeOf(definition: RequirementDefinition): FieldType {
  return FIELD_TYPES[definition.value.format];
}

/** Days after which a document no longer counts; null for what is no document, or never too old. */
export function maxAgeDaysOf({ value }: RequirementDefinition): number | null {
  return value.format === "document" ? value.maxAgeDays : null;
}
