const START = 8;
const MOST = 64;
const LEAST = 1;
/** A full window is topped up again when half of it is free: claims go in batches, and each costs a commit. */
const REFILL = 0.5;
/** From so much of it in use on a success widens it. */
const USED = 0.75;

/**
 * How many attempts one endpoint may have in flight: grows by each success that used all of it, is halved by a timeout.
 * At its least, 1, it probes an endpoint that hangs.
 */
export class AttemptWindow {
  #size = START;
  #inFlight = 0;
  #full = false;
  /** Attempts that began before this saw the window that was already halved. */
  #halvedAtMs = -Infinity;

  get size(): number {
    return this.#size;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many more may start now; 0 between full and refill. */
  get room(): number {
    const room = Math.max(0, this.#size - this.#inFlight);
    if (this.#full && this.#inFlight > Math.floor(this.#size * REFILL)) return 0;
    return room;
  }

  start(): void {
    this.#inFlight += 1;
    this.#full = this.#inFlight >= this.#size;
  }

  /** Ends a start that came to nothing: the delivery was another's, or was not due. */
  cancel(): void {
    this.#inFlight -= 1;
  }

  /** `startedMs` and `nowMs` on the same monotonic clock. */
  end(timedOut: boolean, startedMs: number, nowMs: number): void {
    const wasUsed = this.#inFlight >= Math.floor(this.#size * USED);
    this.#inFlight -= 1;
    if (!timedOut) {
      if (wasUsed) this.#size = Math.min(MOST, this.#size + 1);
    } else if (startedMs >= this.#halvedAtMs) {
      this.#size = Math.max(LEAST, Math.floor(this.#size / 2));
      this.#halvedAtMs = nowMs;
    }
  }
}
