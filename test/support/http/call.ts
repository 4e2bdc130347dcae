import { z } from "zod";
import { holdToDocument } from "../openapi/documented-answers.ts";

export interface Call {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: unknown;
  /** Instead of a body: made anew for each try. */
  readonly form?: () => FormData;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Null where there was no body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

const object = z.record(z.string(), z.unknown());

/** Benches and fault runs measure, and meet a service that is being killed. */
const HELD_TO_DOCUMENT = process.env["JEST_WORKER_ID"] !== undefined;

/**
 * One request with a JSON body, its key as a bearer token. In tests its answer must be one that the service's own
 * OpenAPI document has.
 */
export async function call(url: string, options: Call = {}): Promise<Answer> {
  const { method = "GET", key, body } = options;
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(options.form === undefined ? {} : { body: options.form() }),
  });
  const { status, headers } = response;
  const text = await response.text();
  const answered = text === "" ? null : object.parse(JSON.parse(text));
  if (HELD_TO_DOCUMENT) {
    const contentType = headers.get("Content-Type");
    await holdToDocument({ method, url, status, contentType, body: answered });
  }
  return { status, headers, body: answered };
}

/** A text field of an answer; an error where it is not there. */
export function textOf(answer: Answer, field: string): string {
  return z.string().parse(answer.body?.[field]);
}

/** The objects of a list's page. */
export function dataOf(answer: Answer): Record<string, unknown>[] {
  return z.array(object).parse(answer.body?.["data"]);
}
