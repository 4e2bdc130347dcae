import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  ApiError,
  apiErrorOf,
  ConnectionError,
  isNotFound,
  PortingError,
  unexpectedAnswer,
} from "./errors.ts";

export interface ApiRequest {
  readonly method: string;
  /** Below the base URL, with its parameters filled in. */
  readonly path: string;
  readonly query?: object;
  /** JSON; a form where a value of it is a Blob. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a single call may be given. */
export interface CallOptions {
  /** Ends the call, and the waiting between its tries. */
  readonly signal?: AbortSignal;
  /** Made unless given, for each POST and PATCH; the same on every try. */
  readonly idempotencyKey?: string;
}

export interface CallerOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How often a request is tried again after a fault that may pass; 4 unless given. */
  readonly maxRetries?: number;
  /** How long one try may take, with its whole answer; 30 s unless given. */
  readonly timeoutMs?: number;
  readonly userAgent?: string;
  /** Ends every call, beside the call's own. */
  readonly signal?: AbortSignal;
  /** How to wait between tries; by a timer unless given. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

type Read<T> = (response: Response) => Promise<T> | T;

/** What `fetch` is given on every try. */
type Init = RequestInit & { readonly headers: Headers };

const byTimer: NonNullable<CallerOptions["wait"]> = (ms, signal) =>
  pause(ms, undefined, signal && { signal });

const WITH_KEY: ReadonlySet<string> = new Set(["POST", "PATCH"]);

/** Sends requests with a key, and tries again what may pass. */
export class Caller {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #options: CallerOptions;

  /** @throws TypeError if the address or the key cannot be one */
  constructor(options: CallerOptions) {
    this.#baseUrl = checkedBaseUrl(options.baseUrl);
    this.#apiKey = checkedApiKey(options.apiKey);
    this.#options = options;
  }

  json<T>(request: ApiRequest, options?: CallOptions): Promise<T> {
    return this.send(request, options, (response) => readJson<T>(response));
  }

  nothing(request: ApiRequest, options?: CallOptions): Promise<void> {
    return this.send(request, options, async (response) => {
      await response.arrayBuffer();
    });
  }

  bytes(request: ApiRequest, options?: CallOptions): Promise<Uint8Array> {
    return this.send(
      request,
      options,
      async (response) => new Uint8Array(await response.arrayBuffer()),
    );
  }

  list<T>(request: ApiRequest, options?: CallOptions): Paged<T> {
    const first = searchOf(request.query);
    return new Paged<T>((search) => this.#page(request, search ?? first, options));
  }

  #page<T>(request: ApiRequest, search: string, options?: CallOptions): Promise<PageAnswer<T>> {
    const { method, path } = request;
    return this.send({ method, path: path + search }, options, async (response) => ({
      page: await readJson<Page<T>>(response),
      nextSearch: nextSearch(response.headers.get("Link")),
    }));
  }

  /** @throws ApiError, ConnectionError; the signal's reason where it was aborted */
  async send<T>(request: ApiRequest, options: CallOptions = {}, read: Read<T>): Promise<T> {
    const { maxRetries = 4, wait = byTimer } = this.#options;
    const signal = eitherOf(this.#options.signal, options.signal);
    const init = { ...this.#init(request, options), ...(signal && { signal }) };
    const url = this.#baseUrl + request.path + searchOf(request.query);
    let mayBeDeleted = false;
    for (let failed = 1; ; failed += 1) {
      try {
        return await this.#try(url, init, read);
      } catch (error) {
        signal?.throwIfAborted();
        if (mayBeDeleted && isNotFound(error))
          return await read(new Response(null, { status: 204 }));
        const delayMs = retryDelayMs(error, { failed, maxRetries, random: Math.random });
        if (delayMs === null) throw error;
        mayBeDeleted ||= request.method === "DELETE" && mayHaveTakenEffect(error);
        await wait(delayMs, signal).catch((reason: unknown) => {
          signal?.throwIfAborted();
          throw reason;
        });
      }
    }
  }

  #init({ method, body, headers }: ApiRequest, { idempotencyKey }: CallOptions): Init {
    const { userAgent = "number-porting-client" } = this.#options;
    const content = contentOf(body);
    const all = new Headers({
      Authorization: `Bearer ${this.#apiKey}`,
      "User-Agent": userAgent,
      ...(WITH_KEY.has(method) ? { "Idempotency-Key": idempotencyKey ?? randomUUID() } : {}),
      ...content.headers,
      ...headers,
    });
    // A redirect is an answer: it is never followed with the key.
    const init = { method, redirect: "manual", headers: all } as const;
    return content.body === null ? init : { ...init, body: content.body };
  }

  /** One try. The deadline ends with `read`, so that a stream may go on after it. */
  async #try<T>(url: string, init: RequestInit, read: Read<T>): Promise<T> {
    const { timeoutMs = 30_000 } = this.#options;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const signals = [late.signal, ...(init.signal ? [init.signal] : [])];
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.any(signals) });
      if (!response.ok) throw await apiErrorOf(response);
      return await read(response);
    } catch (error) {
      if (error instanceof PortingError) throw error;
      const why = late.signal.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error);
      throw new ConnectionError(`${new URL(url).origin} could not be reached: ${why}.`, {
        cause: error,
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  try {
    return JSON.parse(text) as T;
  } catch {
    throw unexpectedAnswer(response, "JSON");
  }
}

function eitherOf(one?: AbortSignal, other?: AbortSignal): AbortSignal | undefined {
  if (one === undefined || other === undefined || one === other) return one ?? other;
  return AbortSignal.any([one, other]);
}

export interface Content {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData | string | null;
}

/** The body of a request: JSON, or a form where a value is a file. A form sets its own Content-Type. */
function contentOf(body: object | undefined): Content {
  if (body === undefined) return { headers: {}, body: null };
  const fields = Object.entries(body) as [string, unknown][];
  if (!fields.some(([, value]) => value instanceof Blob)) {
    return { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  }
  const form = new FormData();
  // Text before the file: it is then checked before the file was sent.
  for (const [name, value] of fields) if (typeof value === "string") form.set(name, value);
  for (const [name, value] of fields) if (value instanceof Blob) form.set(name, value);
  return { headers: {}, body: form };
}

type Plain = string | number | boolean;
type QueryValue = Plain | Plain[] | undefined;

/** `?status=draft&status=rejection`; empty without parameters, and without those that are undefined. */
function searchOf(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}) as [string, QueryValue][]) {
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one));
  }
  return search.size === 0 ? "" : `?${search.toString()}`;
}

/** The query of the next page, from `Link`; its host may be another than the one that was called. */
function nextSearch(link: string | null): string | null {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? "")?.[1];
  if (target === undefined) return null;
  const at = target.indexOf("?");
  return at === -1 ? null : target.slice(at);
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** A wait that is asked for and longer than this is left to the caller. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** What may pass by itself: too many requests, and faults of the service or on the way to it. */
const PASSING = new Set([429, 500, 502, 503, 504]);

export interface Tries {
  /** How many tries have failed: 1 after the first. */
  readonly failed: number;
  readonly maxRetries: number;
  /** From 0 to 1, so that clients that failed together do not return together. */
  readonly random: () => number;
}

/** How long to wait before the next try; null where there is to be none. */
export function retryDelayMs(error: unknown, tries: Tries): number | null {
  if (!isPassing(error) || tries.failed > tries.maxRetries) return null;
  const askedMs = askedDelayMs(error);
  return askedMs > LONGEST_RETRY_AFTER_MS ? null : Math.max(askedMs, backoffMs(tries));
}

/** What the API asks to wait. */
export function askedDelayMs(error: unknown): number {
  return error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
}

/** Doubles from half a second to eight, less up to half of it. */
export function backoffMs({ failed, random }: Pick<Tries, "failed" | "random">): number {
  const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failed - 1));
  return longest * (1 - random() / 2);
}

/** Whether a try that failed may have taken effect: its answer was lost, or the service failed on the way. */
function mayHaveTakenEffect(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && error.status >= 500);
}

/** Whether the same request may succeed later. */
export function isPassing(error: unknown): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  // The first try is still running; its answer is replayed when it is done.
  return PASSING.has(error.status) || error.code === "idempotency_in_progress";
}

/** The address without a slash at its end. @throws TypeError if it cannot be called */
function checkedBaseUrl(url: string): string {
  if (!isHttpUrl(url)) {
    throw new TypeError("baseUrl is not an http or https URL without a user name and password.");
  }
  return withoutSlash(url);
}

export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Its text is never in the error. @throws TypeError if no header can carry it */
function checkedApiKey(key: string): string {
  if (!isHeaderWord(key)) throw new TypeError("apiKey is not an API key: it has other characters.");
  return key;
}

/** Whether `fetch` can call it, which it does not with a user name and password in the URL. */
export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

/** Whether it has visible ASCII characters alone. */
export function isHeaderWord(text: string): boolean {
  return /^[\x21-\x7e]*$/.test(text);
}

/** `fetch` says only that it failed; why is its error's cause. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : "";
  // OpenSSL's own text is a line of its source, with memory addresses.
  if (code.startsWith("ERR_SSL_")) return `TLS failed (${code}); the server may not speak TLS`;
  if (cause.message === "bad port") return "fetch calls no server at this port (bad port)";
  return [cause.message, code].find((text) => text !== "") ?? error.message;
}

const NO_LINK = "The list has more, but its answer came without the Link header to the next page.";

/** A page of a list. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
}

export interface PageAnswer<T> {
  readonly page: Page<T>;
  /** The query of the next page; null after the last one. */
  readonly nextSearch: string | null;
}

type ReadPage<T> = (search: string | null) => Promise<PageAnswer<T>>;

/** A list that is fetched page by page, as it is read: `for await (const order of client.listPortingOrders())`. */
export class Paged<T> implements AsyncIterable<T> {
  readonly #read: ReadPage<T>;

  /** `read` gets null for the first page. */
  constructor(read: ReadPage<T>) {
    this.#read = read;
  }

  /** The first page alone. */
  async first(): Promise<Page<T>> {
    return (await this.#read(null)).page;
  }

  async *pages(): AsyncGenerator<Page<T>, void> {
    let search: string | null = null;
    do {
      const answer: PageAnswer<T> = await this.#read(search);
      yield answer.page;
      search = answer.page.has_more ? answer.nextSearch : null;
      // A list that ends too early would pass for a whole one.
      if (answer.page.has_more && search === null) throw new PortingError(NO_LINK);
    } while (search !== null);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for await (const { data } of this.pages()) yield* data;
  }

  /** All items, or the first `limit` of them. */
  async toArray(limit = Infinity): Promise<T[]> {
    const items: T[] = [];
    if (limit < 1) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= limit) break;
    }
    return items;
  }
}
