import type { ReviewCase } from "../types.ts";

/** `Ann Reed assigned it to Bob Miller`, `Ann Reed took it over from Bob Miller: why`. */
export function handoverText(
  { from, by, reason }: NonNullable<ReviewCase["handover"]>,
  holder: NonNullable<ReviewCase["claimed_by"]>,
): string {
  if (reason !== null) {
    return `${by.name} took it over${from === null ? "" : ` from ${from.name}`}: ${reason}`;
  }
  const isOthers = from !== null && from.id !== by.id;
  return `${by.name} assigned it to ${holder.name}${isOthers ? `; ${from.name} had claimed it` : ""}`;
}
