import { z } from "zod";
import { busConfigShape, databaseRole, healthPortShape } from "../messages/bus/bus-config.ts";
import { retrySchedule } from "../messages/retry-schedule.ts";
import { durationMs, integer, list, readEnv, url } from "../platform/config.ts";
import { egressShape } from "../platform/net/address-policy.ts";

const schema = z.object({
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
});

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
