import type { SessionLock } from "../../../platform/db/session-locks.ts";
import { AppError } from "../../../platform/errors.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { AccountPrincipal } from "../../access/principal.ts";

const RETRY_AFTER_S = 15;
/** Each holds one of the server's locks, of which there are some ten thousand for all. */
const STREAMS_PER_PROCESS = 2_000;

export interface OpenStreamsOptions {
  /** How many an account may have at once, on all processes together. */
  readonly limit: number;
  /** Takes the first of the names that no process holds; null where there is none. */
  readonly takeFirst: (names: readonly string[]) => Promise<SessionLock | null>;
  readonly log: Logger;
}

/** The streams of this process and whose they are; each holds one of its account's places until it ends. */
export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #streams = new Map<AbortController, AccountPrincipal>();
  #stopped = false;

  constructor(options: OpenStreamsOptions) {
    this.#options = options;
  }

  /** Ends them all, and every one that is opened from now on. */
  stop(): void {
    this.#stopped = true;
    this.endAll();
  }

  /** @throws `rate_limited` where the account has as many as it may; `unavailable` where the process has */
  async open(principal: AccountPrincipal): Promise<AbortController> {
    if (this.#streams.size >= STREAMS_PER_PROCESS) {
      throw refusal("unavailable", "There are too many streams. Try again later.");
    }
    const { limit, takeFirst } = this.#options;
    const stream = new AbortController();
    // Known before its place is: a loss of all places that comes in between ends it too.
    this.#streams.set(stream, principal);
    stream.signal.addEventListener("abort", () => this.#streams.delete(stream), { once: true });
    try {
      const place = await takeFirst(placesOf(principal.accountId, limit));
      if (place === null) {
        throw refusal("rate_limited", `An account may have ${limit} streams at once.`);
      }
      this.#giveBackAtEnd(stream.signal, place);
    } catch (error) {
      stream.abort();
      throw error;
    }
    if (this.#stopped) stream.abort();
    return stream;
  }

  /** The keys that hold a stream open. */
  keyIds(): string[] {
    return [...new Set([...this.#streams.values()].map(({ keyId }) => keyId))];
  }

  /** Ends the streams of these keys. */
  endOf(keyIds: ReadonlySet<string>): void {
    for (const [stream, { keyId }] of this.#streams) {
      if (keyIds.has(keyId)) stream.abort();
    }
  }

  /** Readers come back from where they were. */
  endAll(): void {
    for (const stream of [...this.#streams.keys()]) stream.abort();
  }

  #giveBackAtEnd(signal: AbortSignal, place: SessionLock): void {
    const giveBack = (): void => {
      place.release().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, "a stream's place was given up with its connection");
      });
    };
    if (signal.aborted) giveBack();
    else signal.addEventListener("abort", giveBack, { once: true });
  }
}

function placesOf(accountId: string, limit: number): string[] {
  return Array.from({ length: limit }, (_, n) => `event-stream ${accountId} ${n}`);
}

function refusal(code: "rate_limited" | "unavailable", detail: string): AppError {
  return new AppError(code, detail, { headers: { "Retry-After": String(RETRY_AFTER_S) } });
}
