import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "../../../services/platform/errors.ts";
import { CertifyFailure } from "./certify-failure.ts";
import { notDone } from "./shortfalls.ts";

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

const object = z.record(z.string(), z.unknown());
export type Json = z.output<typeof object>;

export interface Ask {
  readonly method?: "GET" | "POST" | "PATCH";
  readonly body?: unknown;
  readonly form?: FormData;
}

/** The API as a customer, and the desk as an operator. */
export interface HttpAccess {
  /** @throws CertifyFailure where the answer is not 2xx */
  readonly api: (path: string, ask?: Ask) => Promise<Json>;
  readonly desk: (path: string, ask?: Ask) => Promise<Json>;
}

/**
 * API_URL, API_KEY, DESK_URL and DESK_TOKEN of the environment, else those of the running `npm start`.
 * @throws `invalid_config` where neither has them
 */
export async function openHttpAccess(env: NodeJS.ProcessEnv): Promise<HttpAccess> {
  const given = place.safeParse(env);
  const found = given.success ? given.data : await readRunning(env);
  return {
    api: (path, ask) => send({ url: `${found.API_URL}/v2${path}`, token: found.API_KEY }, ask),
    desk: (path, ask) =>
      send({ url: `${found.DESK_URL}/desk/v1${path}`, token: found.DESK_TOKEN }, ask),
  };
}

async function readRunning(env: NodeJS.ProcessEnv): Promise<z.output<typeof place>> {
  const path = join(env["DATA_DIR"] ?? ".data", "credentials.json");
  try {
    return credentials.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    const names = Object.keys(place.shape).join(", ");
    const detail = `${names} are not all set, and ${path} does not contain them: is npm start running?`;
    throw new AppError("invalid_config", detail, { cause });
  }
}

async function send(
  { url, token }: { readonly url: string; readonly token: string },
  { method = "GET", body, form }: Ask = {},
): Promise<Json> {
  const content = form ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await response.text();
  if (!response.ok) {
    const { pathname } = new URL(url);
    const came = `it was answered ${response.status}: ${text}`;
    throw new CertifyFailure(notDone(`${method} ${pathname} to succeed`, came));
  }
  return text === "" ? {} : object.parse(JSON.parse(text));
}
