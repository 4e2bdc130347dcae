import { z } from "zod";
import { busConfigShape } from "../messages/bus-config.ts";
import { decimal, flag, list, port, readEnv, url } from "../platform/config.ts";

const schema = z.object({
  ...busConfigShape,
  API_PORT: port(3000),
  PUBLIC_API_URL: url().optional(),
  DOCUMENTS_DIR: z.string().min(1).default(".data/documents"),
  DEFAULT_PROVIDER: z.string().min(1).default("manual"),
  /** File of the deployment's own carriers' directory. */
  CARRIER_DIRECTORY: z.string().optional(),
  /** Hours before the confirmed date until which a customer may cancel; decimals. */
  CANCEL_CUTOFF_HOURS: decimal({ fallback: 48 }),
  SECRETS_KEY: list(),
  WEBHOOK_ALLOW_HTTP: flag(false),
  WEBHOOK_ALLOW_CIDRS: list(),
});

export type ApiConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): ApiConfig {
  return readEnv(schema, env);
}
