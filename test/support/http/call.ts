import { z } from "zod";
import { expectDocumented } from "../openapi/documented-answers.ts";

export interface Call {
  readonly method?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: unknown;
  /** Instead of a body; built again for each attempt. */
  readonly form?: () => FormData;
  /** When to give up; default: never. */
  readonly timeoutMs?: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Null for an empty body. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

const object = z.record(z.string(), z.unknown());

/** Only in Jest: benchmarks must not pay for the check, and fault runs call services that are being killed. */
const CHECKS_DOCUMENT = process.env["JEST_WORKER_ID"] !== undefined;

/**
 * One request with a JSON body and its key as a bearer token. In tests the answer must match the service's own
 * OpenAPI document.
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
    ...(options.timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(options.timeoutMs) }),
  });
  const { status, headers } = response;
  const text = await response.text();
  const answered = text === "" ? null : object.parse(JSON.parse(text));
  if (CHECKS_DOCUMENT) {
    const contentType = headers.get("Content-Type");
    await expectDocumented({ method, url, status, contentType, body: answered });
  }
  return { status, headers, body: answered };
}

/** A text field of an answer. @throws where it is missing */
export function textOf(answer: Answer, field: string): string {
  return z.string().parse(answer.body?.[field]);
}

/** The status of an answer, with its problem's code where it has one. */
export function outcomeOf({ status, body }: Answer): string {
  const code = body?.["code"];
  return typeof code === "string" ? `${status} ${code}` : String(status);
}

/** The objects of a page of a list. */
export function dataOf(answer: Answer): Record<string, unknown>[] {
  return z.array(object).parse(answer.body?.["data"]);
}
