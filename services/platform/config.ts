import { z } from "zod";
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

/**
 * Reads a service's configuration from its environment. An empty variable is treated as absent; variables
 * outside the schema are ignored. The error never contains a value, since it may be a secret.
 * @throws `invalid_config` naming every variable that is wrong
 */
export function readEnv<T>(schema: z.ZodType<T>, env: NodeJS.ProcessEnv): T {
  const given = Object.entries(env).filter(([, value]) => value !== undefined && value !== "");
  const input: Record<string, string | undefined> = Object.fromEntries(given);
  const checked = schema.safeParse(input);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map((issue) => {
    const name = String(issue.path[0] ?? "The environment");
    return input[name] === undefined && issue.code !== "custom"
      ? `${name} is required`
      : `${name}: ${issue.message}`;
  });
  throw new AppError("invalid_config", `The configuration is not valid. ${problems.join("; ")}.`);
}

/** A TCP port; 0 takes any free one. */
export function port(fallback?: number) {
  return integer({ fallback, min: 0, max: 65_535 });
}

interface NumberOptions {
  readonly fallback?: number | undefined;
  readonly min?: number;
  readonly max?: number;
}

/** A whole number, at least 0 unless `min` is given. */
export function integer(options: NumberOptions = {}): z.ZodType<number> {
  return numeric(/^-?\d{1,15}$/, "expected a whole number", options);
}

/** A number that may have decimals, at least 0 unless `min` is given. */
export function decimal(options: NumberOptions = {}): z.ZodType<number> {
  return numeric(/^-?\d{1,15}(\.\d{1,9})?$/, "expected a number", options);
}

function numeric(
  pattern: RegExp,
  message: string,
  { fallback, min = 0, max = Number.MAX_SAFE_INTEGER }: NumberOptions,
): z.ZodType<number> {
  const schema = z
    .string()
    .regex(pattern, message)
    .transform(Number)
    .pipe(z.number().min(min, `expected at least ${min}`).max(max, `expected at most ${max}`));
  return fallback === undefined ? schema : schema.default(fallback);
}

/** A duration such as `15s` or `2h`, in milliseconds. */
export function durationMs(fallback?: string): z.ZodType<number> {
  const schema = z.string().transform((text, context) => {
    try {
      return parseDuration(text);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      context.addIssue("expected a duration such as 250ms, 15s, 5m, 2h or 30d");
      return z.NEVER;
    }
  });
  return fallback === undefined ? schema : schema.default(parseDuration(fallback));
}

/** `true` or `false`. */
export function flag(fallback = false): z.ZodType<boolean> {
  return z
    .enum(["true", "false"], "expected true or false")
    .transform((text) => text === "true")
    .default(fallback);
}

/** Comma-separated texts, trimmed, without empty ones. */
export function list(fallback: readonly string[] = []): z.ZodType<string[]> {
  return z
    .string()
    .transform((text) => text.split(",").map((item) => item.trim()))
    .transform((items) => items.filter((item) => item !== ""))
    .default([...fallback]);
}

/** Comma-separated origins of web pages, such as `https://app.example.com`; `*` allows any. */
export function origins(): z.ZodType<string[]> {
  const fits = (text: string) =>
    text === "*" || (URL.canParse(text) && new URL(text).origin === text);
  return list().refine(
    (items) => items.every(fits),
    "expected origins such as https://app.example.com, or *",
  );
}

/** A URL with one of the schemes (`http` and `https` by default), without a trailing slash. */
export function url(schemes: readonly string[] = ["http", "https"]): z.ZodType<string> {
  const fits = (text: string) =>
    URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1));
  return z
    .string()
    .refine(fits, `expected a URL that begins with ${schemes.join(":// or ")}://`)
    .transform((text) => text.replace(/\/+$/, ""));
}
