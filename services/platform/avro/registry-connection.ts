import { readFileSync } from "node:fs";
import { Agent as HttpsAgent } from "node:https";
import { z } from "zod";
import { readEnv, url } from "../config.ts";
import { AppError } from "../errors.ts";

/** Where the schema registry is, and how a client proves who it is; the file is PEM. */
export const registryShape = {
  /** Base URL of its Confluent API. */
  SCHEMA_REGISTRY_URL: url(),
  SCHEMA_REGISTRY_USERNAME: z.string().optional(),
  SCHEMA_REGISTRY_PASSWORD: z.string().optional(),
  /** Its certificate authority; the public ones unless given. */
  SCHEMA_REGISTRY_CA_FILE: z.string().optional(),
};

const schema = z.object(registryShape);

export type RegistryAccess = Readonly<z.output<typeof schema>>;

/** The settings of an environment, for programs without a config of their own. @throws `invalid_config` */
export function readRegistryAccess(env: NodeJS.ProcessEnv): RegistryAccess {
  return readEnv(schema, env);
}

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

/**
 * The HTTP status in an error of the registry client, which reports a refused connection as 400; null for
 * its own errors.
 */
export function statusOf(error: unknown): number | null {
  const status = error instanceof Error && "status" in error ? error.status : null;
  return typeof status === "number" ? status : null;
}

export function unavailable(cause: unknown): AppError {
  const detail = "the schema registry is not responding properly";
  return new AppError("registry_unavailable", detail, { retryable: true, cause });
}

const REQUEST_TIMEOUT_MS = 5_000;
const MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";

interface RegistryRequest {
  /** Sent by PUT; without it the request is a GET. */
  readonly put?: object;
  /** No more of the answer is read. */
  readonly mostBytes?: number;
}

/** An answer of the registry; `text` is null where it is longer than the limit. @throws a retryable `registry_unavailable` */
export async function askRegistry(
  { url, headers, ca }: RegistryConnection,
  path: string,
  { put, mostBytes = Infinity }: RegistryRequest = {},
): Promise<{ readonly status: number; readonly text: string | null }> {
  // Loaded here, because this is rare and the package is large.
  const { Agent, request } = await import("undici");
  const stopping = new AbortController();
  try {
    const { statusCode: status, body } = await request(url + path, {
      headers: { ...headers, accept: MEDIA_TYPE, ...(put && { "content-type": MEDIA_TYPE }) },
      ...(put && { method: "PUT", body: JSON.stringify(put) }),
      ...(ca === null ? {} : { dispatcher: new Agent({ connect: { ca } }) }),
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) return { status, text: null };
      chunks.push(chunk);
    }
    return { status, text: Buffer.concat(chunks).toString("utf8") };
  } catch (error) {
    throw unavailable(error);
  } finally {
    stopping.abort();
  }
}
