import { AppError } from "../../platform/errors.ts";
import type { AccountPrincipal } from "../principal.ts";

const RETRY_AFTER_S = 15;

/** The streams of this process: how many each account has, and whose they are. */
export class OpenStreams {
  readonly #limit: number;
  readonly #streams = new Map<AbortController, AccountPrincipal>();
  #stopped = false;

  /** `limit`: streams per account. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Ends them all, and every one that is opened from now on. */
  stop(): void {
    this.#stopped = true;
    this.keepOnly(new Set());
  }

  /** @throws `rate_limited` where the account has as many as it may */
  open(principal: AccountPrincipal): AbortController {
    const own = [...this.#streams.values()].filter(
      ({ accountId }) => accountId === principal.accountId,
    );
    if (own.length >= this.#limit) {
      throw new AppError("rate_limited", `An account may have ${this.#limit} streams at once.`, {
        headers: { "Retry-After": String(RETRY_AFTER_S) },
      });
    }
    const stream = new AbortController();
    if (this.#stopped) stream.abort();
    this.#streams.set(stream, principal);
    stream.signal.addEventListener("abort", () => this.#streams.delete(stream), { once: true });
    return stream;
  }

  /** The keys that hold a stream open. */
  keyIds(): string[] {
    return [...new Set([...this.#streams.values()].map(({ keyId }) => keyId))];
  }

  /** Ends the streams of every key but these. */
  keepOnly(keyIds: ReadonlySet<string>): void {
    for (const [stream, { keyId }] of this.#streams) {
      if (!keyIds.has(keyId)) stream.abort();
    }
  }
}
