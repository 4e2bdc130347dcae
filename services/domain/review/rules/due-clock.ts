import {
  addWorkingTime,
  workingTimeBetween,
  type WorkingHours,
} from "../../../platform/calendar/working-hours.ts";
import type { ReviewCase } from "./review-case.ts";

/** The desk's time to decide, in milliseconds, and the hours in which it counts. */
export interface DueClock {
  readonly dueMs: number;
  readonly hours: WorkingHours;
}

type EarlierCase = Pick<ReviewCase, "state" | "decisions" | "decided_at" | "due_at">;

/**
 * When the desk's decision on a submission is due. The clock stands still while the customer corrects what the desk
 * rejected, and goes on with the time that was left; otherwise it starts from the beginning.
 */
export function dueTimeOf(
  { dueMs, hours }: DueClock,
  submittedAt: Date,
  before: EarlierCase | null,
): Date {
  const rejectedAt = before === null ? null : rejectionTimeOf(before);
  const left =
    before === null || rejectedAt === null
      ? dueMs
      : workingTimeBetween(hours, rejectedAt, before.due_at);
  return addWorkingTime(hours, submittedAt, left);
}

function rejectionTimeOf({ state, decisions, decided_at: at }: EarlierCase): Date | null {
  const isRejected = decisions.some(({ decision }) => decision === "reject");
  return state === "decided" && isRejected ? at : null;
}
