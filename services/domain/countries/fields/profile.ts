import type { RequirementDefinition } from "./requirement-definition.ts";

/** A field before a profile makes it mandatory or optional. */
export type Field = Omit<RequirementDefinition, "mandatory">;

/** The requirements of a kind of order, mandatory ones first, both groups in the contract's order. */
export function profile(
  mandatory: readonly Field[],
  optional: readonly Field[] = [],
): readonly RequirementDefinition[] {
  return [
    ...mandatory.map((field) => ({ ...field, mandatory: true })),
    ...optional.map((field) => ({ ...field, mandatory: false })),
  ];
}
