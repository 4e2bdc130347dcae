import { problemOf, unreachable } from "./problem.ts";

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

export interface RequestOptions {
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** The same key over the retries of one command, so that it happens once. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of `fetch`. */
  readonly via?: Fetch;
}

export type Fetch = (path: string, init: RequestInit) => Promise<Response>;

/** Headers that prove to the service that a command comes from its own page; set at sign-in. */
let proof: Readonly<Record<string, string>> = {};

export function proveBy(headers: Readonly<Record<string, string>>): void {
  proof = headers;
}

/** @throws Problem for every answer that is not a success, and where there is none */
export async function send(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Response> {
  const { body, signal, idempotencyKey, headers, via = fetch } = options;
  const isForm = body instanceof FormData;
  const init: RequestInit = {
    method,
    credentials: "same-origin",
    headers: {
      Accept: "application/json",
      ...(method === "GET" ? {} : proof),
      ...(body === undefined || isForm ? {} : { "Content-Type": "application/json" }),
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  };
  const response = await arrived(via(path, init), method, signal);
  if (!response.ok) throw await problemOf(response);
  return response;
}

/** What comes whole; what is cut off on its way is no answer. */
export function arrived<T>(coming: Promise<T>, method: Method, signal?: AbortSignal): Promise<T> {
  return coming.catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw unreachable(method === "GET" ? "read" : "command", error);
  });
}

/** The JSON of an answer, in the shape that the contract promises; null for 204. */
export async function request<T>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return null as T;
  return (await arrived(response.json(), method, options.signal)) as T;
}

type QueryValue = string | number | boolean | readonly string[] | null | undefined;

/** `path?name=value`, without what is empty; a list repeats its name. */
export function withQuery(path: string, query: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values: readonly (string | number | boolean | null | undefined)[] =
      typeof value === "object" && value !== null ? value : [value];
    for (const one of values) {
      if (one !== null && one !== undefined && one !== "") search.append(name, String(one));
    }
  }
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** A page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
}
