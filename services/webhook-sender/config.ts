import { z } from "zod";
import { DESK_NOTICES, mailAddress } from "../domain/notice/rules/notice-kinds.ts";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus/bus-config.ts";
import { retrySchedule } from "../messages/retry-schedule.ts";
import { durationMs, flag, integer, list, readEnv, url } from "../platform/config.ts";
import { egressShape } from "../platform/net/address-policy.ts";

/** Notices by mail; off unless there is a mail server. */
const noticeShape = {
  SMTP_URL: url(["smtp", "smtps"])
    .refine((text) => !URL.canParse(text) || new URL(text).hostname !== "", "it names no host")
    .refine(hasReadableCredentials, "its user name and password must be percent-encoded")
    .optional(),
  SMTP_FROM: mailAddress().optional(),
  SMTP_REQUIRE_TLS: flag(true),
  NOTICE_INTERVAL: durationMs("5m"),
  DESK_NOTICE_EMAILS: list().pipe(z.array(mailAddress())),
  DESK_NOTICES: list(DESK_NOTICES).pipe(
    z.array(z.enum(DESK_NOTICES, `expected ${DESK_NOTICES.join(", ")} or one of them`)),
  ),
  PUBLIC_API_URL: url().default("http://localhost:3000"),
  PUBLIC_DESK_URL: url().default("http://localhost:3001"),
};

const shape = z.object({
  ...busConfigShape,
  ...healthPortShape,
  DATABASE_ROLE: databaseRole("porting_webhook_sender"),
  SECRETS_KEY: list(),
  ...egressShape,
  WEBHOOK_PROXY_URL: url()
    .refine(hasReadableCredentials, "its user name and password must be percent-encoded")
    .optional(),
  WEBHOOK_RETRY_SCHEDULE: retrySchedule(),
  WEBHOOK_PAUSE_AFTER: durationMs("5d"),
  WEBHOOK_PAUSE_FAILED: integer({ fallback: 10, min: 1 }),
  WEBHOOK_PAUSE_SPAN: durationMs("12h"),
  DELIVERY_RETENTION_DAYS: integer({ fallback: 0, max: 36_500 }),
  WEBHOOK_CONCURRENCY: integer({ fallback: 256, min: 1, max: 10_000 }),
  WEBHOOK_HOST_CONCURRENCY: integer({ fallback: 64, min: 1, max: 10_000 }),
  ...noticeShape,
});

const schema = shape.refine(
  (config) => (config.SMTP_URL === undefined) === (config.SMTP_FROM === undefined),
  {
    path: ["SMTP_FROM"],
    message: "SMTP_URL and SMTP_FROM, the sender of mails, are set together or not at all",
  },
);

export type WebhookSenderConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): WebhookSenderConfig {
  return readEnv(schema, env);
}

function hasReadableCredentials(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password } = new URL(text);
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
