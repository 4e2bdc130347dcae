import type { Requirement } from "../orders/order-words.ts";
import { acceptedBy, fileFaultOf } from "./given-values.ts";
import type { Faults, Typed } from "./changes.ts";

/** The files that were chosen and not sent yet, by slug. */
export type Files = Readonly<Record<string, File>>;

/** How many characters of an ISO time are its day. */
const DAY = 10;

export function today(): string {
  return new Date().toISOString().slice(0, DAY);
}

/** Whether the date of such a document matters: an identity document may be of any age. */
export function isDated(requirement: Requirement): boolean {
  return acceptedBy(requirement).maxAgeDays !== null;
}

/** The date of a document, `YYYY-MM-DD`: as it was typed, or today's where none is asked for. */
export function dateOf(typed: Typed, requirement: Requirement): string {
  return isDated(requirement) ? (typed[`${requirement.slug}/date`] ?? "") : today();
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
    if (dateOf(typed, requirement) !== "") return [];
    return [[`${slug}/date`, { code: "required", detail: "This is needed." }]];
  });
  return Object.fromEntries(found);
}
