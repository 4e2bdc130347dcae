import type { NumberType } from "../../number/rules/classify-number.ts";
import type { RequirementDefinition } from "./requirement-definition.ts";

/** A field before a profile says whether it must be filled. */
export type Field = Omit<RequirementDefinition, "mandatory">;

/** What a country's orders ask for, by number type; a type that it does not name cannot be ported. */
export type CountryProfiles = Readonly<
  Partial<Record<NumberType, readonly RequirementDefinition[]>>
>;

/** Mandatory fields first, each part in the contract's order. */
export function profile(
  mandatory: readonly Field[],
  optional: readonly Field[] = [],
): readonly RequirementDefinition[] {
  return [
    ...mandatory.map((field) => ({ ...field, mandatory: true })),
    ...optional.map((field) => ({ ...field, mandatory: false })),
  ];
}
