import type { z } from "zod";
import type {
  caseAnswer,
  queueAnswer,
  queuedCaseAnswer,
  rejectionReasonAnswer,
} from "../../../desk/reviews/answers.ts";

export type QueuedCase = z.infer<typeof queuedCaseAnswer>;
export type Queue = z.infer<typeof queueAnswer>;
export type ReviewCase = z.infer<typeof caseAnswer>;
export type CaseRequirement = ReviewCase["requirements"][number];
export type CaseDocument = ReviewCase["documents"][number];
export type Match = CaseRequirement["matches"][number];
export type EarlierCase = ReviewCase["history"][number];
export type AccountCase = ReviewCase["account_history"][number];
export type RejectionReason = z.infer<typeof rejectionReasonAnswer>;

export const VIEWS = [
  "mine",
  "unclaimed",
  "overdue",
  "all",
] as const satisfies readonly (keyof Queue["counts"])[];
export type View = (typeof VIEWS)[number];
