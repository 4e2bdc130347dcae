import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { RegistryLogin, SaslLogin } from "../../services/platform/command-line.ts";
import { writeFileAtomically } from "../atomic-file.ts";
import type { FirstAccess } from "./first-access.ts";

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
