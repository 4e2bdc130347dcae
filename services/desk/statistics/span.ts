import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import { instant } from "../../platform/http/body/fields.ts";
import type { Span } from "./store/desk-statistics.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

const day = z.iso.date().transform((text) => ({ day: new Date(`${text}T00:00:00.000Z`) }));
const bound = () =>
  z.union([instant(), day], { error: "It must be a day or a time with an offset." });

export const statisticsQuery = z.strictObject({
  from: bound()
    .optional()
    .meta({
      description: "A time, or a day from its beginning in UTC; 30 days before `to` unless given",
      examples: ["2026-03-01"],
    }),
  to: bound()
    .optional()
    .meta({
      description: "A time, exclusive, or a day until its end in UTC; now unless given",
      examples: ["2026-03-31"],
    }),
});

/** @throws `invalid_parameter` for a range that is empty or too long */
export function spanOf({ from, to }: z.output<typeof statisticsQuery>, now: Date): Span {
  const end = to === undefined ? now : "day" in to ? new Date(to.day.getTime() + DAY_MS) : to;
  const usual = new Date(end.getTime() - USUAL_DAYS * DAY_MS);
  const start = from === undefined ? usual : "day" in from ? from.day : from;
  const length = end.getTime() - start.getTime();
  if (length <= 0) throw fault("to", "`to` must be after `from`.");
  if (length > MOST_DAYS * DAY_MS) throw fault("from", `At most ${MOST_DAYS} days at once.`);
  return { from: start, to: end };
}

function fault(parameter: "from" | "to", detail: string): AppError {
  const faults = [{ parameter, code: "invalid_range", detail }];
  return new AppError("invalid_parameter", detail, { faults });
}
