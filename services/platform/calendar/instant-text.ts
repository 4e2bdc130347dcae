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

const COMPLETE =
  /^(\d{4})(-?)(\d\d)\2(\d\d)T(\d\d)(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d+))?)?(?:(Z)|([+-]\d\d):?(\d\d)?)?$/;

/** A complete ISO 8601 time in the extended form with seconds, its offset unchanged; any other text as it is. */
export function extendedForm(text: string): string {
  const parts = COMPLETE.exec(text);
  if (parts === null) return text;
  const [, year, , month, day, hour, , minute, second = "00", digits, utc = "", sign, rest] = parts;
  const fraction = digits === undefined ? "" : `.${digits}`;
  const offset = sign === undefined ? utc : `${sign}:${rest ?? "00"}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${offset}`;
}

const WITHOUT_OFFSET = /T[\d:.]+$/;
const NO_OFFSET = "It has no offset from UTC: it must end in Z, or in one such as +01:00.";

/** An instant in any complete ISO 8601 form with an offset, read into the extended form; `otherwise` is said of other texts. */
export function writtenInstant(otherwise?: string) {
  const extended = z.iso.datetime({
    offset: true,
    error: ({ input }) => (WITHOUT_OFFSET.test(String(input)) ? NO_OFFSET : otherwise),
  });
  return z.string().meta({ format: "date-time" }).transform(extendedForm).pipe(extended);
}

/** An instant that keeps the offset it was written with: up to 35 characters and 14 hours from UTC. */
export const instantText = writtenInstant()
  .pipe(
    z
      .string()
      .max(MAX_INSTANT_LENGTH)
      .refine(hasPlausibleOffset, {
        error: `Its offset must be between -${MAX_OFFSET} and +${MAX_OFFSET}.`,
        params: { code: "invalid_format" },
      }),
  )
  .meta({ maxLength: MAX_INSTANT_LENGTH });

/** Whether text is a day of the calendar as YYYY-MM-DD; JavaScript by itself reads 2026-02-30 as a day in March. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
