import { z } from "zod";

/** That of nanoseconds with an offset. Longer fractions mean nothing, and neither the calendar nor Postgres reads them. */
export const MAX_INSTANT_LENGTH = 35;

/** No place on Earth is further from UTC, and Postgres reads no more than 15:59. */
export const MAX_OFFSET = "14:00";

const OFFSET = /[+-](\d\d:\d\d)$/;

/** Whether an instant's offset, `Z` or such as `-05:00`, is one that a place may have. */
function hasPlausibleOffset(text: string): boolean {
  const [, offset = "00:00"] = OFFSET.exec(text) ?? [];
  return offset <= MAX_OFFSET;
}

/** An instant that keeps the offset it was written with: ISO 8601, up to 35 characters and 14 hours from UTC. */
export const instantText = z.iso
  .datetime({ offset: true })
  .max(MAX_INSTANT_LENGTH)
  .refine(hasPlausibleOffset, {
    error: `Its offset must be between -${MAX_OFFSET} and +${MAX_OFFSET}.`,
    params: { code: "invalid_format" },
  });
