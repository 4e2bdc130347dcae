import { z } from "zod";

/** That of nanoseconds with an offset. Longer fractions mean nothing, and neither the calendar nor Postgres reads them. */
export const MAX_INSTANT_LENGTH = 35;

/** An instant that keeps the offset it was written with: ISO 8601, up to 35 characters. */
export const instantText = z.iso.datetime({ offset: true }).max(MAX_INSTANT_LENGTH);
