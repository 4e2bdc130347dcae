import type { z } from "zod";
import type { LIST_SCREENS, savedViewAnswer } from "../../../services/desk/views/answers.ts";

export type SavedView = z.output<typeof savedViewAnswer>;
export type ListScreen = (typeof LIST_SCREENS)[number];

/** Of one moment: which page of the list, and what is open beside it. */
const PASSING = ["after", "open"];

/** What a view keeps of an address, in an order in which two of the same are equal. */
export function viewSearch(search: string): string {
  const kept = new URLSearchParams(search);
  for (const name of PASSING) kept.delete(name);
  kept.sort();
  return kept.toString();
}
