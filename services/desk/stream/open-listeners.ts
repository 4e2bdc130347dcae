import { refuseStream } from "../../platform/http/routing/event-stream.ts";

const PER_OPERATOR = 10;
const PER_PROCESS = 500;

/** The open streams of this process, each an operator's. */
export class OpenListeners {
  readonly #streams = new Map<AbortController, string>();
  #stopped = false;

  /** @throws `rate_limited` if the operator is at the limit, `unavailable` if the process is, or ends */
  open(operatorId: string): AbortController {
    if (this.#stopped || this.#streams.size >= PER_PROCESS) {
      throw refuseStream("unavailable", "Too many streams are open. Try again later.");
    }
    const own = [...this.#streams.values()].filter((id) => id === operatorId);
    if (own.length >= PER_OPERATOR) {
      const detail = `An operator may have at most ${PER_OPERATOR} open streams.`;
      throw refuseStream("rate_limited", detail);
    }
    const stream = new AbortController();
    this.#streams.set(stream, operatorId);
    stream.signal.addEventListener("abort", () => this.#streams.delete(stream), { once: true });
    return stream;
  }

  /** Ends all streams, so that the HTTP server can stop. */
  stop(): void {
    this.#stopped = true;
    for (const stream of [...this.#streams.keys()]) stream.abort();
  }
}
