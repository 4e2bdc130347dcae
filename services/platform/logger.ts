import { pino } from "pino";
import type { Logger } from "pino";

export type { Logger } from "pino";

const REDACTED_FIELDS = [
  "key",
  "api_key",
  "signing_secret",
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
];

const CREDENTIAL = /\b(nps_(?:live|desk)_|whsec_)[A-Za-z0-9+/=]+/g;
const PHONE_NUMBER = /\+\d{5,13}(\d{2})\b/g;

/** Hides keys, secrets and all but the last two digits of phone numbers inside free text. */
export function scrub(text: string): string {
  return text.replace(CREDENTIAL, "$1[redacted]").replace(PHONE_NUMBER, "+…$1");
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

/** JSON lines on standard output, one per outcome; redaction happens here and nowhere else. */
export function createLogger(service: string, level: string): Logger {
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    redact: {
      paths: REDACTED_FIELDS.flatMap((field) => [field, `*.${field}`]),
      censor: "[redacted]",
    },
    hooks: {
      logMethod(args, method) {
        method.apply(
          this,
          args.map((arg) => (typeof arg === "string" ? scrub(arg) : arg)) as typeof args,
        );
      },
    },
  });
}
