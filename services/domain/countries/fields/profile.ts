import type { RequirementDefinition } from "./requirement-definition.ts";

/** A field before a profile says whether it must be filled. */
export type Field = Omit<RequirementDefinition, "mandatory">;

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
