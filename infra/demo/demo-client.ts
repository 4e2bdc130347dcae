import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";

const TRIES = 8;
const RETRIED = new Set([429, 503]);

const object = z.record(z.string(), z.unknown());
export type Json = z.output<typeof object>;

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
