import type { Code } from "./code.ts";

export type FieldType = "document" | "text" | "address" | "date" | "choice";

/** What can be read back: the whole value, only its last 4 characters, or nothing. */
export type Sensitivity = "no" | "masked" | "hidden";

/** Whether one value is for the whole order, or each of its numbers has its own. */
export type Scope = "order" | "number";

/** The format of a value; the API's `acceptance_criteria` are derived from it. */
export type ValueFormat =
  | {
      readonly format: "text";
      readonly minLength: number;
      readonly maxLength: number;
      /** Absent if any printable text is accepted; the pattern is anchored, and the form describes it in words. */
      readonly shape?: { readonly pattern: RegExp; readonly form: string };
    }
  | { readonly format: "code"; readonly code: Code }
  | { readonly format: "phone_number" }
  | ({ readonly format: "address" } & AddressFormat)
  | {
      readonly format: "date";
      /** It must be before today. */
      readonly isPast: boolean;
    }
  | { readonly format: "choice"; readonly options: readonly string[] }
  | { readonly format: "document" };

/** The format of an address, whose third line is the administrative area and the postal code. */
export interface AddressFormat {
  /** Two-letter country code, the fourth line. */
  readonly country: string;
  /** The administrative area in upper case, and what to call it in a fault; null if it is optional. */
  readonly area: { readonly pattern: RegExp; readonly form: string } | null;
  readonly postalCode: Code;
  /** Where else the holder may be, with the form of addresses there; absent where that must be the country. */
  readonly abroad?: readonly AddressFormat[];
}

/** The section of the letter of authorization that shows a value: the customer, the account, or the line's setup. */
export type LetterPart = "customer" | "account" | "line";

/** One requirement of a kind of order (docs/contract/customer-api.md, Porting orders). */
export interface RequirementDefinition {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly mandatory: boolean;
  readonly scope: Scope;
  /** An optional requirement whose value makes this one unnecessary; absent if there is none. */
  readonly unless?: string;
  readonly sensitivity: Sensitivity;
  /** A value that is accepted; for a document, a description of a good one. */
  readonly example: string;
  readonly value: ValueFormat;
  /** Absent if the letter of authorization does not show it. */
  readonly letter?: LetterPart;
  /** Canonical code of a carrier's rejection of a wrong value, for a field specific to one country. */
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

/** A field before a profile makes it mandatory or optional. */
export type Field = Omit<RequirementDefinition, "mandatory" | "scope"> & {
  readonly scope?: "number";
};

/** A field of which each number of an order has its own value. */
export function perNumber(field: Field): Field {
  return { ...field, scope: "number" };
}

/** The requirements of a kind of order, mandatory ones first, both groups in the contract's order. */
export function profile(
  mandatory: readonly Field[],
  optional: readonly Field[] = [],
): readonly RequirementDefinition[] {
  return [
    ...mandatory.map((field) => ({ scope: "order" as const, ...field, mandatory: true })),
    ...optional.map((field) => ({ scope: "order" as const, ...field, mandatory: false })),
  ];
}
