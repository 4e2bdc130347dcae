import { z } from "zod";
import { carriersShape } from "../domain/carrier/read-carriers.ts";
import { expiryShape } from "../domain/deadline/deadline.ts";
import { busConfigShape, databaseRole, metricsShape } from "../messages/bus/bus-config.ts";
import { decimal, integer, list, origins, port, readEnv, url } from "../platform/config.ts";
import { readReplicaShape } from "../platform/db/lagging-reads.ts";
import { egressShape } from "../platform/net/address-policy.ts";
import { fileStoreShape } from "../platform/files/file-store.ts";

/** The gaining carrier of letters that nobody will send to a losing carrier. */
const NO_CARRIER = "Number Porting Service";

const schema = z.object({
  ...busConfigShape,
  ...readReplicaShape,
  DATABASE_ROLE: databaseRole("porting_api"),
  API_PORT: port(3000),
  ...metricsShape,
  PUBLIC_API_URL: url().optional(),
  ...fileStoreShape,
  DEFAULT_PROVIDER: z.string().min(1).default("manual"),
  ...carriersShape,
  /** A customer may cancel until this many hours before the confirmed date; decimals allowed. */
  CANCEL_CUTOFF_HOURS: decimal({ fallback: 48 }),
  /** The same for a change of a submitted order. */
  CHANGE_CUTOFF_HOURS: decimal({ fallback: 48 }),
  ...expiryShape,
  LOA_CARRIER_NAME: z.string().max(64).default(NO_CARRIER),
  LOA_RESPORG_ID: z
    .string()
    .regex(/^[A-Z0-9]{5}$/, "expected five capital letters or digits")
    .optional(),
  /** Requests per account; 0 disables the limit. */
  RATE_LIMIT_PER_MINUTE: integer({ fallback: 600 }),
  RATE_LIMIT_BURST: integer({ fallback: 100, min: 1 }),
  /** Requests of an account that run at once in a process; 0 disables this limit and that of one large request. */
  ACCOUNT_CONCURRENCY: integer({ fallback: 20 }),
  /** Quotas of an account: orders in draft, numbers in live orders, and in orders of a day that came to nothing; 0: any. */
  MAX_DRAFTS: integer({ fallback: 1_000 }),
  MAX_OPEN_NUMBERS: integer({ fallback: 100_000 }),
  MAX_DISCARDED_NUMBERS: integer({ fallback: 10_000 }),
  /** Links into the portal that have neither expired nor been ended; 0 for any number. */
  MAX_PORTAL_LINKS: integer({ fallback: 10_000 }),
  /** Events that an account recovers, and MiB of documents that it uploads, in 24 hours; 0 for any number. */
  MAX_RECOVERED_EVENTS: integer({ fallback: 200_000 }),
  MAX_UPLOADED_MIB: integer({ fallback: 20_480 }),
  /** Failed authentications per IP address; 0 disables the limit. */
  AUTH_FAILURES_PER_MINUTE: integer({ fallback: 60 }),
  /** Connections of one IP address, or of one IPv6 network (/64); 0 disables the limit. */
  CONNECTIONS_PER_ADDRESS: integer({ fallback: 200 }),
  /** Web origins that may call the API from a browser; empty allows none. */
  CORS_ORIGINS: origins(),
  SECRETS_KEY: list(),
  ...egressShape,
});

export type ApiConfig = z.output<typeof schema>;

export function readConfig(env: NodeJS.ProcessEnv): ApiConfig {
  return readEnv(schema, env);
}

/** What letters of authorization lack where customers reach the service by TLS, as in production. */
export function letterWarnings(
  config: Pick<ApiConfig, "LOA_CARRIER_NAME" | "LOA_RESPORG_ID" | "PUBLIC_API_URL">,
): string[] {
  if (config.PUBLIC_API_URL?.startsWith("https:") !== true) return [];
  return [
    ...(config.LOA_CARRIER_NAME === NO_CARRIER
      ? [`LOA_CARRIER_NAME is not set: letters name "${NO_CARRIER}" as the new provider`]
      : []),
    ...(config.LOA_RESPORG_ID === undefined
      ? ["LOA_RESPORG_ID is not set: letters for US and Canadian toll-free numbers name no RespOrg"]
      : []),
  ];
}

const MINUTES_OF_A_DAY = 1_440;

/** How many events an account may republish in a minute: in a day about as many as it may recover. */
export function republishedPerMinute(config: Pick<ApiConfig, "MAX_RECOVERED_EVENTS">): number {
  return Math.ceil(config.MAX_RECOVERED_EVENTS / MINUTES_OF_A_DAY);
}
