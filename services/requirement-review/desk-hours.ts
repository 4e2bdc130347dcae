import { IANAZone } from "luxon";
import { z } from "zod";
import { parseWorkingHours } from "../platform/calendar/parse-working-hours.ts";
import { hasPublicHolidays, isPublicHoliday } from "../platform/calendar/public-holidays.ts";
import type { OpenSpan, WorkingHours } from "../platform/calendar/working-hours.ts";
import { AppError } from "../platform/errors.ts";

/** When the desk works, which is when its time to decide runs. */
export const deskHoursShape = {
  DESK_HOURS: z
    .string()
    .default("Mon-Fri 08:00-18:00")
    .transform((text, context): OpenSpan[] => {
      try {
        return parseWorkingHours(text);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        context.addIssue(error.message);
        return z.NEVER;
      }
    }),
  DESK_TIME_ZONE: z
    .string()
    .refine((zone) => IANAZone.isValidZone(zone), "expected a time zone such as Europe/Paris")
    .default("UTC"),
  /** Whose public holidays the desk observes; none unless given. */
  DESK_COUNTRY: z
    .string()
    .refine(hasPublicHolidays, "expected a country of two capital letters such as US")
    .optional(),
};

interface DeskHoursConfig {
  readonly DESK_HOURS: readonly OpenSpan[];
  readonly DESK_TIME_ZONE: string;
  readonly DESK_COUNTRY?: string | undefined;
}

export function deskHoursOf(config: DeskHoursConfig): WorkingHours {
  const { DESK_HOURS: spans, DESK_TIME_ZONE: timeZone, DESK_COUNTRY: country } = config;
  const isOff: WorkingHours["isOff"] = (day) =>
    country !== undefined && isPublicHoliday(country, day);
  return { spans, timeZone, isOff };
}
