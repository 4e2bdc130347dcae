import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { PortingClient } from "../../../packages/client/porting-client.ts";
import { AppError } from "../../../services/platform/errors.ts";
import { CertifyFailure, notDone, type Shortfall } from "./shortfalls.ts";

const problem = z.object({ detail: z.string() });
const place = z.object({
  API_URL: z.url(),
  API_KEY: z.string().min(1),
  DESK_URL: z.url(),
  DESK_TOKEN: z.string().min(1),
});

const credentials = z
  .object({
    api_url: z.string(),
    api_key: z.string(),
    desk_url: z.string(),
    desk_token: z.string(),
  })
  .transform(({ api_url, api_key, desk_url, desk_token }) => ({
    API_URL: api_url,
    API_KEY: api_key,
    DESK_URL: desk_url,
    DESK_TOKEN: desk_token,
  }));

type HttpPlace = z.output<typeof place>;

/** The product that is to be driven. */
export interface ProductPlace {
  readonly http: HttpPlace;
  /** In which Kafka and the registry of the same product are found. */
  readonly env: NodeJS.ProcessEnv;
}

/**
 * The product that API_URL, API_KEY, DESK_URL and DESK_TOKEN name, with the environment's Kafka; else the running
 * `npm start` with its own Kafka, because a shell may have the settings of an integration: a provider's login, and as
 * DATA_DIR the folder of its updates.
 * @throws `invalid_config` where there is neither
 */
export async function findProduct(
  env: NodeJS.ProcessEnv,
  defaultFolder = ".data",
): Promise<ProductPlace> {
  const given = place.safeParse(env);
  if (given.success) return { http: given.data, env };
  const ownFolder = env["DATA_DIR"] ?? "";
  const folders = [...new Set([ownFolder === "" ? defaultFolder : ownFolder, defaultFolder])];
  for (const folder of folders) {
    const http = await readCredentials(folder);
    if (http === null) continue;
    return { http, env: { ...env, DATA_DIR: folder, KAFKA_BROKERS: "", SCHEMA_REGISTRY_URL: "" } };
  }
  const names = Object.keys(place.shape).join(", ");
  const paths = folders.map((folder) => join(folder, "credentials.json")).join(" or ");
  const detail = `${names} are not all set, and no ${paths} contains them: is npm start running?`;
  throw new AppError("invalid_config", detail);
}

async function readCredentials(folder: string): Promise<HttpPlace | null> {
  try {
    return credentials.parse(JSON.parse(await readFile(join(folder, "credentials.json"), "utf8")));
  } catch {
    return null;
  }
}

const object = z.record(z.string(), z.unknown());
export type Json = z.output<typeof object>;

export interface Ask {
  readonly method?: "GET" | "POST" | "PATCH";
  readonly body?: unknown;
  /** What a 409 means, by its detail. */
  readonly onConflict?: (detail: string) => Shortfall;
}

/** The API as a customer, and the desk as an operator. */
export interface HttpAccess {
  /** @throws CertifyFailure where the answer is not 2xx */
  readonly api: (path: string, ask?: Ask) => Promise<Json>;
  readonly desk: (path: string, ask?: Ask) => Promise<Json>;
  readonly customer: PortingClient;
}

export function openHttpAccess(found: HttpPlace): HttpAccess {
  return {
    api: (path, ask) => send({ url: `${found.API_URL}/v2${path}`, token: found.API_KEY }, ask),
    desk: (path, ask) =>
      send({ url: `${found.DESK_URL}/desk/v1${path}`, token: found.DESK_TOKEN }, ask),
    customer: new PortingClient({ baseUrl: found.API_URL, apiKey: found.API_KEY }),
  };
}

async function send(
  { url, token }: { readonly url: string; readonly token: string },
  { method = "GET", body, onConflict }: Ask = {},
): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status === 409 && onConflict !== undefined) {
    throw new CertifyFailure(onConflict(problem.parse(JSON.parse(text)).detail));
  }
  if (!response.ok) {
    const { pathname } = new URL(url);
    const came = `it was answered ${response.status}: ${text}`;
    throw new CertifyFailure(notDone(`${method} ${pathname} to succeed`, came));
  }
  return text === "" ? {} : object.parse(JSON.parse(text));
}
