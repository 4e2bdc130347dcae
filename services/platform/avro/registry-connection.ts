import { readFileSync } from "node:fs";
import { Agent as HttpsAgent } from "node:https";
import { AppError } from "../errors.ts";
import type { RegistryAccess } from "./registry-config.ts";

/** How to reach the registry. */
export interface RegistryConnection {
  /** Without a trailing slash. */
  readonly url: string;
  readonly auth: { readonly username: string; readonly password: string } | null;
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the registry's own certificate authority; null: the public ones. */
  readonly ca: string | null;
  /** Trusts that authority; null where there is none. */
  readonly agent: HttpsAgent | null;
}

/** @throws `invalid_config` where a setting is missing or its file cannot be read */
export function registryConnection(access: RegistryAccess): RegistryConnection {
  const auth = authOf(access);
  const ca = readCa(access);
  const login = auth === null ? "" : `${auth.username}:${auth.password}`;
  return {
    url: access.SCHEMA_REGISTRY_URL.replace(/\/$/, ""),
    auth,
    headers:
      auth === null ? {} : { authorization: `Basic ${Buffer.from(login).toString("base64")}` },
    ca,
    agent: ca === null ? null : new HttpsAgent({ ca, keepAlive: true }),
  };
}

function authOf(access: RegistryAccess): RegistryConnection["auth"] {
  const { SCHEMA_REGISTRY_USERNAME: username, SCHEMA_REGISTRY_PASSWORD: password } = access;
  if (username === undefined && password === undefined) return null;
  if (username !== undefined && password !== undefined) return { username, password };
  throw invalid("SCHEMA_REGISTRY_USERNAME and SCHEMA_REGISTRY_PASSWORD are given together");
}

function readCa(access: RegistryAccess): string | null {
  const { SCHEMA_REGISTRY_CA_FILE: path, SCHEMA_REGISTRY_URL: url } = access;
  if (path === undefined) return null;
  if (!url.startsWith("https:")) {
    throw invalid("SCHEMA_REGISTRY_CA_FILE needs an https:// SCHEMA_REGISTRY_URL");
  }
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw invalid("SCHEMA_REGISTRY_CA_FILE: the file cannot be read", cause);
  }
}

function invalid(fault: string, cause?: unknown): AppError {
  return new AppError("invalid_config", `The configuration is not valid. ${fault}.`, { cause });
}
