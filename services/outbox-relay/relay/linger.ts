/** Over what time the rate of rows is measured. */
const SPAN_MS = 250;
/** Below this rate a row does not wait for others, because few would come. */
const QUIET_PER_SECOND = 100;
/** At this rate the wait is the longest. */
const BUSY_PER_SECOND = 200;
/** So many rows are worth a batch; where they come sooner, the wait is shorter. */
const BATCH_ROWS = 24;

/**
 * How long rows wait for more of them, because a batch costs the relay, Kafka and every consumer much more than its rows:
 * not at all while little comes, and under load until some rows have come together.
 */
export class Linger {
  readonly #mostMs: number;
  /** Rows of the last span, older ones counted less and less. */
  #rows = 0;
  #atMs = 0;

  constructor(mostMs: number) {
    this.#mostMs = mostMs;
  }

  /** Counts rows that were found. */
  found(rows: number, nowMs: number): void {
    this.#rows = this.#rowsAt(nowMs) + rows;
    this.#atMs = nowMs;
  }

  msAt(nowMs: number): number {
    const perSecond = (this.#rowsAt(nowMs) * 1_000) / SPAN_MS;
    const share = (perSecond - QUIET_PER_SECOND) / (BUSY_PER_SECOND - QUIET_PER_SECOND);
    const longestMs = Math.min(this.#mostMs, (BATCH_ROWS * 1_000) / perSecond);
    return longestMs * Math.min(Math.max(share, 0), 1);
  }

  #rowsAt(nowMs: number): number {
    return this.#rows * Math.exp((this.#atMs - nowMs) / SPAN_MS);
  }
}
