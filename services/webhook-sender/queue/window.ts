const START = 8;
const MOST = 64;
const LEAST = 1;
/** A full window is refilled when half of it is free: claims are batched, and each costs a commit. */
const REFILL = 0.5;
/** A success widens the window if at least this share of it is in use. */
const USED = 0.75;
/** For each such time without an answer, half as many attempts may be in flight. */
const SILENCE_MS = 1_000;
/** A window of which no more than half was in flight for so long is halved. */
const UNUSED_MS = 1_000;

/**
 * How many attempts one endpoint may have in flight: grows with successes while it is well used, and is
 * halved by a timeout. At its minimum, 1, it probes an endpoint that hangs. What it has grown to counts only as long as
 * answers come and it is used: it halves with each second of silence, and where little of it is used shrinks to what it
 * began with, so that an endpoint that begins to hang after a burst holds few sockets.
 */
export class AttemptWindow {
  #size = START;
  #inFlight = 0;
  #full = false;
  /** A timeout of an attempt that started before this does not halve the window again. */
  #halvedAtMs = -Infinity;
  /** The last answer, or the first attempt since there was none in flight. */
  #heardAtMs = -Infinity;
  /** The most attempts in flight since. */
  #peak = 0;
  #peakSinceMs = -Infinity;
  readonly #now: () => number;

  /** `now` in milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get size(): number {
    return this.#size;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many more attempts may start now; 0 between full and refill. */
  get room(): number {
    const room = Math.max(0, this.#allowed() - this.#inFlight);
    if (this.#full && this.#inFlight > Math.floor(this.#size * REFILL)) return 0;
    return room;
  }

  start(): void {
    if (this.#inFlight === 0) {
      this.#size = this.#allowed();
      this.#heardAtMs = this.#now();
    }
    this.#inFlight += 1;
    this.#shrinkUnused();
    this.#full = this.#inFlight >= this.#size;
  }

  /** Ends a start without an attempt: the delivery was claimed elsewhere or was not due. */
  cancel(): void {
    this.#inFlight -= 1;
  }

  /** `startedMs` by the window's clock. */
  end(timedOut: boolean, startedMs: number): void {
    const nowMs = this.#now();
    const wasUsed = this.#inFlight >= Math.floor(this.#size * USED);
    this.#inFlight -= 1;
    if (!timedOut) {
      this.#heardAtMs = nowMs;
      if (wasUsed) this.#size = Math.min(MOST, this.#size + 1);
    } else if (startedMs >= this.#halvedAtMs) {
      this.#size = Math.max(LEAST, Math.floor(this.#size / 2));
      this.#halvedAtMs = nowMs;
    }
  }

  #shrinkUnused(): void {
    this.#peak = Math.max(this.#peak, this.#inFlight);
    const nowMs = this.#now();
    if (nowMs < this.#peakSinceMs + UNUSED_MS) return;
    const isUnused = this.#size > START && this.#peak <= this.#size / 2;
    if (isUnused) this.#size = Math.max(START, Math.floor(this.#size / 2));
    this.#peak = this.#inFlight;
    this.#peakSinceMs = nowMs;
  }

  #allowed(): number {
    const silences = Math.min(Math.floor((this.#now() - this.#heardAtMs) / SILENCE_MS), MOST);
    const left = Math.floor(this.#size / 2 ** silences);
    const least = this.#inFlight === 0 ? Math.min(START, this.#size) : LEAST;
    return Math.max(least, left);
  }
}
