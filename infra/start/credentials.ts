import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { API_KEY, DESK_TOKEN, isWellFormed } from "../../services/domain/account/rules/api-key.ts";
import { createAccount, findFirstAccount } from "../../services/domain/account/store/accounts.ts";
import { findKeyHolder, issueApiKey } from "../../services/domain/account/store/api-keys.ts";
import { writeAudit } from "../../services/domain/account/store/audit-log.ts";
import {
  addOperator,
  findFirstAdmin,
  findTokenHolder,
  issueOperatorToken,
} from "../../services/domain/account/store/operators.ts";
import { systemClock } from "../../services/platform/clock.ts";
import type { RegistryLogin, SaslLogin } from "../../services/platform/command-line.ts";
import { createPool } from "../../services/platform/db/pool.ts";
import {
  inTransaction,
  queryRows,
  type Queryable,
} from "../../services/platform/db/transaction.ts";
import { createLogger } from "../../services/platform/logger.ts";
import { writeFileAtomically } from "../atomic-file.ts";

export interface FirstAccess {
  readonly api_key: string;
  readonly desk_token: string;
}

const FIRST_ACCESS_LOCK = 7_202_612;
const STARTED = { id: null, name: "first start" };

/**
 * A valid key and token: the kept ones if they are still valid, else new ones of the first account and the
 * first operator, which are created where there are none. Safe to run concurrently.
 */
export async function ensureFirstAccess(
  databaseUrl: string,
  kept: FirstAccess | null,
): Promise<FirstAccess> {
  const log = createLogger("first-access", "warn");
  const pool = createPool({
    url: databaseUrl,
    service: "first-access",
    size: 2,
    log,
  });
  try {
    return await inTransaction(pool, (tx) => ensure(tx, kept));
  } finally {
    await pool.end();
  }
}

async function ensure(tx: Queryable, kept: FirstAccess | null): Promise<FirstAccess> {
  await queryRows(tx, { text: "select pg_advisory_xact_lock($1)", values: [FIRST_ACCESS_LOCK] });
  const keeps = kept !== null;
  return {
    api_key: keeps && (await isLiveKey(tx, kept.api_key)) ? kept.api_key : await newKey(tx),
    desk_token:
      keeps && (await isLiveToken(tx, kept.desk_token)) ? kept.desk_token : await newToken(tx),
  };
}

async function isLiveKey(tx: Queryable, key: string): Promise<boolean> {
  return isWellFormed(API_KEY, key) && (await findKeyHolder(tx, key)) !== null;
}

async function isLiveToken(tx: Queryable, token: string): Promise<boolean> {
  return isWellFormed(DESK_TOKEN, token) && (await findTokenHolder(tx, token)) !== null;
}

async function newKey(tx: Queryable): Promise<string> {
  const at = systemClock.now();
  const first = await findFirstAccount(tx);
  if (first !== null) {
    const { record, key } = await issueApiKey(tx, { accountId: first.id, name: null, at });
    const after = { api_key_id: record.id, prefix: record.prefix };
    const action = "api_key.issued";
    await writeAudit(tx, { at, operator: STARTED, action, accountId: first.id, after });
    return key;
  }
  const name = "First account";
  const { account, apiKey } = await createAccount(tx, { name, at });
  const action = "account.created";
  await writeAudit(tx, { at, operator: STARTED, action, accountId: account.id, after: { name } });
  return apiKey;
}

async function newToken(tx: Queryable): Promise<string> {
  const at = systemClock.now();
  const { id, name } = (await findFirstAdmin(tx)) ?? (await newOperator(tx, at));
  const { record, token } = await issueOperatorToken(tx, { operatorId: id, at });
  const after = { operator: { id, name }, token_id: record.id, prefix: record.prefix };
  await writeAudit(tx, { at, operator: STARTED, action: "operator_token.issued", after });
  return token;
}

async function newOperator(tx: Queryable, at: Date) {
  return addOperator(tx, { name: "First operator", role: "admin", at });
}

/** The content of `DATA_DIR/credentials.json` while everything runs; URLs without a trailing slash. */
export interface Credentials extends FirstAccess {
  readonly api_url: string;
  readonly desk_url: string;
  /** Of all copies, the first copy's first. */
  readonly api_urls: readonly string[];
  readonly desk_urls: readonly string[];
  /** Signs webhooks to the `webhook_url` of the first account's orders. */
  readonly webhook_signing_secret: string;
  readonly kafka_brokers: string;
  /** Absent for a Kafka that was not started here. */
  readonly kafka_admin?: SaslLogin;
  /** The login of each provider's integration, by the provider's name; absent like `kafka_admin`. */
  readonly kafka_providers?: Readonly<Record<string, SaslLogin>>;
  readonly schema_registry_url: string;
  /** The login of services and carriers; absent for a registry that was not started here. */
  readonly schema_registry_reader?: RegistryLogin;
  /** The login of an operator's commands, which register schemas; absent like the reader's. */
  readonly schema_registry_writer?: RegistryLogin;
  readonly database_url: string;
}

const firstAccess = z.object({ api_key: z.string(), desk_token: z.string() });

function credentialsPath(dataDir: string): string {
  return join(dataDir, "credentials.json");
}

/** Written last: when the file exists, everything in it can be used. */
export function writeCredentials(dataDir: string, credentials: Credentials): void {
  const text = `${JSON.stringify(credentials, null, 2)}\n`;
  writeFileAtomically(credentialsPath(dataDir), text, 0o600);
}

export function removeCredentials(dataDir: string): void {
  rmSync(credentialsPath(dataDir), { force: true });
}

/** The key and token of earlier starts; null before the first one. */
export function readBootstrap(dataDir: string): FirstAccess | null {
  const path = join(dataDir, "bootstrap.json");
  return existsSync(path) ? firstAccess.parse(JSON.parse(readFileSync(path, "utf8"))) : null;
}

export function writeBootstrap(dataDir: string, access: FirstAccess): void {
  const path = join(dataDir, "bootstrap.json");
  writeFileAtomically(path, `${JSON.stringify(access, null, 2)}\n`, 0o600);
}

/** The key (32 bytes in base64) that secrets are encrypted with; created at the first start and kept. */
export function ensureSecretsKey(dataDir: string): string {
  const path = join(dataDir, "secrets.key");
  if (!existsSync(path)) {
    writeFileAtomically(path, `${randomBytes(32).toString("base64")}\n`, 0o600);
  }
  return readFileSync(path, "utf8").trim();
}

/** A geographic New York number, valid in the numbering plan. */
const EXAMPLE_NUMBER = "+12125550123";

export interface SummaryPlace {
  readonly dataDir: string;
  readonly tookMs: number;
  /** Key and token were made at this start: they are shown now, and later only kept. */
  readonly isFirst: boolean;
}

/** The passwords stay in the file. */
function kafkaOf({ kafka_brokers, kafka_providers }: Credentials): string {
  if (kafka_providers === undefined) return kafka_brokers;
  return `${kafka_brokers} (users and passwords of carriers: kafka_providers in credentials.json)`;
}

function registryOf({ schema_registry_url: url, schema_registry_reader }: Credentials): string {
  if (schema_registry_reader === undefined) return url;
  return `${url} (login of carriers: schema_registry_reader in credentials.json)`;
}

function postgresOf({ database_url }: Credentials): string {
  const { host, pathname } = new URL(database_url);
  return `${host}${pathname} (login: database_url in credentials.json)`;
}

/** The text for the terminal once everything runs. */
export function summary(credentials: Credentials, place: SummaryPlace): string {
  const { dataDir, tookMs, isFirst } = place;
  const kept = join(dataDir, "credentials.json");
  const { api_key: key, desk_token: token } = credentials;
  const rows = {
    API: credentials.api_urls.join(", "),
    Desk: credentials.desk_urls.join(", "),
    "API key": isFirst ? key : `api_key in ${kept}`,
    "Desk token": isFirst ? token : `desk_token in ${kept}`,
    Kafka: kafkaOf(credentials),
    Registry: registryOf(credentials),
    Postgres: postgresOf(credentials),
    Files: `${dataDir} (credentials.json, logs/)`,
  };
  const table = Object.entries(rows).map(([name, value]) => `  ${name.padEnd(11)}${value}`);
  const order = JSON.stringify({ phone_numbers: [EXAMPLE_NUMBER] });
  const bearer = isFirst ? key : `$(node -p "require('${kept}').api_key")`;
  return [
    "",
    `Everything is running after ${(tookMs / 1000).toFixed(1)} s.`,
    "",
    ...table,
    "",
    "Port a number:",
    "",
    `  curl -s ${credentials.api_url}/v2/porting_orders \\`,
    `    -H "Authorization: Bearer ${bearer}" \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '${order}'`,
    "",
    "Ctrl-C stops everything.",
    "",
  ].join("\n");
}
