import type { Requirement } from "../orders/order-words.ts";
import { acceptedBy, fileFaultOf } from "./given-values.ts";
import type { Faults, Typed } from "./changes.ts";

/** The files that were chosen and not sent yet, by slug. */
export type Files = Readonly<Record<string, File>>;

/** The date that was typed for a document, `YYYY-MM-DD`. */
export function dateOf(typed: Typed, slug: string): string {
  return typed[`${slug}/date`] ?? "";
}

/** What is wrong with the chosen files before they are sent. */
export function documentFaults(
  requirements: readonly Requirement[],
  files: Readonly<Record<string, Pick<File, "name" | "size" | "type">>>,
  typed: Typed,
): Faults {
  const found = requirements.flatMap((requirement): [string, Faults[string]][] => {
    const { slug } = requirement;
    const file = files[slug];
    if (file === undefined) return [];
    const accepted = acceptedBy(requirement);
    const code = fileFaultOf(file, accepted);
    if (code !== null) return [[slug, { code, detail: file.name }]];
    if (dateOf(typed, slug) !== "") return [];
    return [[`${slug}/date`, { code: "required", detail: "This is needed." }]];
  });
  return Object.fromEntries(found);
}
