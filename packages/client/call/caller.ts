import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { apiErrorOf, ConnectionError, PortingError } from "../errors.ts";
import { Paged, type Page, type PageAnswer } from "./paged.ts";
import { contentOf, nextSearch, searchOf } from "./request-parts.ts";
import { retryDelayMs } from "./retry-delay.ts";

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
  /** How to wait between tries; by a timer unless given. */
  readonly wait?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

type Read<T> = (response: Response) => Promise<T> | T;

const byTimer: NonNullable<CallerOptions["wait"]> = (ms, signal) =>
  pause(ms, undefined, signal && { signal });

const WITH_KEY: ReadonlySet<string> = new Set(["POST", "PATCH"]);

/** Sends requests with a key, and tries again what may pass. */
export class Caller {
  readonly #baseUrl: string;
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.#baseUrl = options.baseUrl.replace(/\/+$/, "");
    this.#options = options;
  }

  json<T>(request: ApiRequest, options?: CallOptions): Promise<T> {
    return this.send(request, options, (response) => response.json() as Promise<T>);
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
      page: (await response.json()) as Page<T>,
      nextSearch: nextSearch(response.headers.get("Link")),
    }));
  }

  /** @throws ApiError, ConnectionError; the signal's reason where it was aborted */
  async send<T>(request: ApiRequest, options: CallOptions = {}, read: Read<T>): Promise<T> {
    const { maxRetries = 4, wait = byTimer } = this.#options;
    const { signal } = options;
    const init = this.#init(request, options);
    const url = this.#baseUrl + request.path + searchOf(request.query);
    for (let failed = 1; ; failed += 1) {
      try {
        return await this.#try(url, { ...init, ...(signal && { signal }) }, read);
      } catch (error) {
        signal?.throwIfAborted();
        const delayMs = retryDelayMs(error, { failed, maxRetries, random: Math.random });
        if (delayMs === null) throw error;
        await wait(delayMs, signal);
      }
    }
  }

  #init({ method, body, headers }: ApiRequest, { idempotencyKey }: CallOptions): RequestInit {
    const { apiKey, userAgent = "number-porting-client" } = this.#options;
    const content = contentOf(body);
    return {
      method,
      redirect: "error",
      headers: {
        Authorization: `Bearer ${apiKey}`,
        "User-Agent": userAgent,
        ...(WITH_KEY.has(method) ? { "Idempotency-Key": idempotencyKey ?? randomUUID() } : {}),
        ...content.headers,
        ...headers,
      },
      ...(content.body === null ? {} : { body: content.body }),
    };
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

/** `fetch` says only that it failed; why is its error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  if (cause.message !== "") return cause.message;
  return "code" in cause ? String(cause.code) : error.message;
}
