import { pino, type DestinationStream, type Logger, type LoggerOptions } from "pino";
import { LogOutput, openStandardOutput } from "./log-output.ts";
import { runningSpan } from "./tracing/current-span.ts";

export type { Logger };

const WARN = 40;
const REDACTED_FIELDS: ReadonlySet<string> = new Set([
  "key",
  "api_key",
  "signing_secret",
  "webhook_signing_secret",
  "secret",
  "token",
  "pin",
  "pin_passcode",
  "account_number",
  "attempted_pin",
  "port_out_pin",
  "phone_number",
  "phone_numbers",
  "authorization",
  "field_value",
  "payload",
  "body",
]);

const CREDENTIAL = /\b(nps_(?:live|desk|sess|link|portal)_|whsec_)[A-Za-z0-9+/=]+/g;
const PHONE_NUMBER = /\+\d{5,13}(\d{2})\b/g;

/** Hides keys, secrets and all but the last two digits of phone numbers inside free text. */
export function scrub(text: string): string {
  if (!text.includes("_") && !text.includes("+")) return text;
  return text.replace(CREDENTIAL, "$1[redacted]").replace(PHONE_NUMBER, "+…$1");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

/** Much cheaper than pino's own wildcard redaction, which matters for a line per request. */
function redact(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  let copy: Record<string, unknown> | null = null;
  for (const name in fields) {
    const value = fields[name];
    let shown = value;
    if (REDACTED_FIELDS.has(name)) shown = "[redacted]";
    else if (depth > 1 && isRecord(value)) shown = redact(value, depth - 1);
    if (shown === value) continue;
    copy ??= { ...fields };
    copy[name] = shown;
  }
  return copy ?? fields;
}

/** Names the trace that the line belongs to. */
function withTrace(fields: Record<string, unknown>): Record<string, unknown> {
  const span = runningSpan();
  return span === null ? fields : { ...fields, trace_id: span.traceId };
}

function serializeError(error: Error): Record<string, unknown> {
  const cause = error.cause instanceof Error ? serializeError(error.cause) : undefined;
  return {
    type: error.name,
    ...("code" in error ? { code: error.code } : {}),
    message: scrub(error.message),
    stack: scrub(error.stack ?? ""),
    ...(cause === undefined ? {} : { cause }),
  };
}

/** Standard output, where a line that reports lost lines looks like any other. */
function standardOutput(service: string): DestinationStream {
  const base = { level: WARN, service, pid: process.pid };
  return new LogOutput({
    write: openStandardOutput(),
    describeLoss: (lines) => {
      const line = { ...base, time: new Date().toISOString(), lines, msg: "log lines were lost" };
      return `${JSON.stringify(line)}\n`;
    },
  });
}

/** Writes the time of a line; those of a busy process share it with others of the same millisecond. */
function lineTimes(): () => string {
  let atMs = Number.NaN;
  let written = "";
  return () => {
    const nowMs = Date.now();
    if (nowMs !== atMs) {
      atMs = nowMs;
      written = `,"time":"${new Date(nowMs).toISOString()}"`;
    }
    return written;
  };
}

/** JSON lines on standard output, one per outcome; redaction happens here and nowhere else. */
export function createLogger(
  service: string,
  level: string,
  into: DestinationStream = standardOutput(service),
): Logger {
  const options: LoggerOptions = {
    level,
    base: { service, pid: process.pid },
    timestamp: lineTimes(),
    serializers: { err: serializeError },
    formatters: { log: (fields) => withTrace(redact(fields, 2)) },
    hooks: {
      logMethod(args, method) {
        method.apply(
          this,
          args.map((arg) => (typeof arg === "string" ? scrub(arg) : arg)) as typeof args,
        );
      },
    },
  };
  return pino(options, into);
}
