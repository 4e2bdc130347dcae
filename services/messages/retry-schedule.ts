import { z } from "zod";
import { parseDuration } from "../platform/config.ts";
import { AppError } from "../platform/errors.ts";

/** One backoff step: its name as written, which also names its delay topic, and its length. */
export interface RetryStep {
  readonly name: string;
  readonly delayMs: number;
}

export const DEFAULT_RETRY_SCHEDULE = "1m,5m,30m,2h,6h";

/** The steps of a schedule such as `1m,5m,30m,2h,6h`, in order; steps may repeat. Throws `invalid_config`. */
export function parseRetrySchedule(text: string): readonly RetryStep[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .map((name) => ({ name, delayMs: parseDuration(name) }));
}

/** The configuration value `WEBHOOK_RETRY_SCHEDULE`. */
export function retrySchedule(): z.ZodType<readonly RetryStep[]> {
  return z
    .string()
    .transform((text, context) => {
      try {
        return parseRetrySchedule(text);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        context.addIssue("expected durations such as 1m,5m,30m,2h,6h");
        return z.NEVER;
      }
    })
    .default(parseRetrySchedule(DEFAULT_RETRY_SCHEDULE));
}
