import { AppError } from "./errors.ts";

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Milliseconds of a duration such as `250ms`, `15s`, `5m`, `2h` or `30d`; throws `invalid_config` for
 * anything else.
 */
export function parseDuration(text: string): number {
  const [, amount = "", unit = ""] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
  if (!Number.isSafeInteger(ms)) {
    throw new AppError(
      "invalid_config",
      `${JSON.stringify(text)} is not a duration such as 250ms, 15s, 5m, 2h or 30d`,
    );
  }
  return ms;
}
