import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { PortingClient } from "../../packages/client/porting-client.ts";
import { AppError } from "../../services/platform/errors.ts";
import { ACCOUNTS, OPERATORS } from "./stories.ts";

const TRIES = 8;
const RETRIED = new Set([429, 503]);

const object = z.record(z.string(), z.unknown());
type Json = z.output<typeof object>;

export interface Ask {
  readonly method?: "GET" | "POST";
  readonly body?: unknown;
}

/** An answer that is not 2xx; the message is a sentence. */
export class Refused extends Error {
  readonly status: number;

  constructor(what: string, status: number, text: string) {
    super(`${what} was refused (${status}): ${sentenceOf(text)}`);
    this.name = "Refused";
    this.status = status;
  }
}

const problem = z.object({
  detail: z.string(),
  errors: z.array(z.object({ detail: z.string() })).default([]),
});
const LONGEST_TEXT = 200;

/** What a problem document says: its faults, or where it has none, its detail. */
export function sentenceOf(text: string): string {
  let found: unknown = null;
  try {
    found = JSON.parse(text);
  } catch {
    // Not from the service itself, but from what is in front of it.
  }
  const { data } = problem.safeParse(found);
  if (data === undefined) return text.slice(0, LONGEST_TEXT);
  return data.errors.length === 0 ? data.detail : data.errors.map(({ detail }) => detail).join(" ");
}

/** Calls paths below a base URL with one token, and waits where the service asks for it. */
export type Client = (path: string, ask?: Ask) => Promise<Json>;

export function createClient(baseUrl: string, token: string): Client {
  return async (path, ask = {}) => {
    const { method = "GET", body } = ask;
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.ok) return text === "" ? {} : object.parse(JSON.parse(text));
      if (!RETRIED.has(response.status) || tries === TRIES) {
        throw new Refused(`${method} ${path}`, response.status, text);
      }
      await pause(1_000 * Number(response.headers.get("retry-after") ?? 1));
    }
  };
}

/** The result, or null where the service of this release has no such path, or what it names is gone. */
export async function ifThere(asked: Promise<Json>): Promise<Json | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}

const POLL_MS = 250;

export interface Wait {
  readonly timeoutMs: number;
  /** What was awaited, as the failure says it; asked again at the end. */
  readonly what: () => string;
}

/** Repeats `find` until it returns something else than undefined. @throws an error after the time */
export async function waitFor<T>(
  find: () => Promise<T | undefined>,
  { timeoutMs, what }: Wait,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(`${what()} (waited ${timeoutMs / 1_000} s)`);
    await pause(POLL_MS);
  }
}

const credentials = z
  .object({ api_url: z.string(), desk_url: z.string(), desk_token: z.string() })
  .transform(({ api_url: apiUrl, desk_url: deskUrl, desk_token: deskToken }) => {
    return { apiUrl, deskUrl, deskToken };
  });

export type HttpPlace = z.output<typeof credentials>;

/** Where the running `npm start` is. @throws `invalid_config` where none runs */
export async function openHttpPlace(env: NodeJS.ProcessEnv): Promise<HttpPlace> {
  const path = join(env["DATA_DIR"] ?? ".data", "credentials.json");
  try {
    return credentials.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    throw new AppError("invalid_config", `${path} has no credentials: is npm start running?`, {
      cause,
    });
  }
}

export interface DemoAccount {
  readonly id: string;
  readonly name: string;
  readonly client: PortingClient;
}

/** Everybody who takes part. */
export interface DemoCast {
  readonly accounts: readonly [DemoAccount, ...DemoAccount[]];
  /** Those who may decide. */
  readonly reviewers: readonly [Client, ...Client[]];
  /** The first operator's. */
  readonly desk: Client;
  readonly deskUrl: string;
  readonly exceptions: ReadonlyMap<string, readonly RejectionReason[]>;
}

export interface RejectionReason {
  readonly code: string;
  readonly text: string;
}

const withId = z.object({ id: z.string() });
const list = z.object({ data: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

/** Accounts and operators by name: those of an earlier run are used again, with new keys. */
export async function openCast(env: NodeJS.ProcessEnv): Promise<DemoCast> {
  const place = await openHttpPlace(env);
  const desk = createClient(`${place.deskUrl}/desk/v1`, place.deskToken);
  const accounts = await inTurn(ACCOUNTS, (name) => openAccount(place, desk, name));
  const reviewers = await openReviewers(place, desk);
  const [first, ...rest] = accounts;
  if (first === undefined) throw new TypeError("the demo has no accounts");
  return {
    desk,
    deskUrl: place.deskUrl,
    accounts: [first, ...rest],
    reviewers: [reviewers[0] ?? desk, ...reviewers.slice(1)],
    exceptions: await readReasons(desk),
  };
}

async function openAccount(place: HttpPlace, desk: Client, name: string): Promise<DemoAccount> {
  const known = list.parse(await desk(`/accounts?status=active&q=${encodeURIComponent(name)}`));
  const found = known.data.find((one) => one.name === name);
  const made =
    found === undefined
      ? await desk("/accounts", { method: "POST", body: { name } })
      : await desk(`/accounts/${found.id}/api_keys`, { method: "POST", body: { name: "demo" } });
  const { id } = found ?? withId.parse(made);
  const key = z.string().parse(found === undefined ? made["api_key"] : made["key"]);
  // So many orders at once are answered 429 more often than a customer's own.
  return {
    id,
    name,
    client: new PortingClient({ baseUrl: place.apiUrl, apiKey: key, maxRetries: 8 }),
  };
}

/** None where this release has no operators' routes. */
async function openReviewers(place: HttpPlace, desk: Client): Promise<Client[]> {
  const known = await ifThere(desk("/operators?limit=250"));
  if (known === null) return [];
  const byName = new Map(list.parse(known).data.map(({ id, name }) => [name, id]));
  const all = await inTurn(OPERATORS, async ({ name, role }) => {
    const id =
      byName.get(name) ??
      withId.parse(await desk("/operators", { method: "POST", body: { name, role } })).id;
    const token = await desk(`/operators/${id}/tokens`, { method: "POST", body: {} });
    return { role, client: createClient(`${place.deskUrl}/desk/v1`, tokenOf(token)) };
  });
  return all.filter(({ role }) => role !== "viewer").map(({ client }) => client);
}

function tokenOf(issued: Json): string {
  return z.object({ token: z.string() }).parse(issued).token;
}

const reasons = z.object({
  data: z.array(z.object({ code: z.string(), slugs: z.array(z.string()), text: z.string() })),
});

/** The desk's reasons by slug, without the one that says nothing; none where this release has no catalogue of them. */
async function readReasons(desk: Client): Promise<Map<string, RejectionReason[]>> {
  const found = reasons.safeParse(await ifThere(desk("/rejection_reasons")));
  const bySlug = new Map<string, RejectionReason[]>();
  const telling = (found.data?.data ?? []).filter(({ code }) => code !== "other");
  for (const { code, slugs, text } of telling) {
    for (const slug of slugs) bySlug.set(slug, [...(bySlug.get(slug) ?? []), { code, text }]);
  }
  return bySlug;
}

async function inTurn<T, R>(all: readonly T[], each: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await each(one));
  return results;
}
