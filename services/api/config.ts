import { z } from "zod";
import { carriersShape } from "../domain/carrier/read-carriers.ts";
import { busConfigShape, databaseRole } from "../messages/bus/bus-config.ts";
import { decimal, flag, integer, list, origins, port, readEnv, url } from "../platform/config.ts";
import { fileStoreShape } from "../platform/files/file-store-config.ts";

const schema = z.object({
  ...busConfigShape,
  DATABASE_ROLE: databaseRole("porting_api"),
  API_PORT: port(3000),
  PUBLIC_API_URL: url().optional(),
  ...fileStoreShape,
  DEFAULT_PROVIDER: z.string().min(1).default("manual"),
  ...carriersShape,
  /** Hours before the confirmed date until which a customer may cancel; decimals. */
  CANCEL_CUTOFF_HOURS: decimal({ fallback: 48 }),
  LOA_CARRIER_NAME: z.string().max(64).default("Number Porting Service"),
  LOA_RESPORG_ID: z
    .string()
    .regex(/^[A-Z0-9]{5}$/, "expected five capital letters or digits")
    .optional(),
  /** Requests of an account; 0 switches the limit off. */
  RATE_LIMIT_PER_MINUTE: integer({ fallback: 600 }),
  RATE_LIMIT_BURST: integer({ fallback: 100, min: 1 }),
  /** Failed authentication per address; 0 switches the limit off. */
  AUTH_FAILURES_PER_MINUTE: integer({ fallback: 60 }),
  /** Web pages that may call from a browser; none where empty. */
  CORS_ORIGINS: origins(),
  SECRETS_KEY: list(),
  WEBHOOK_ALLOW_HTTP: flag(false),
  WEBHOOK_ALLOW_CIDRS: list(),
});

export type ApiConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): ApiConfig {
  return readEnv(schema, env);
}
