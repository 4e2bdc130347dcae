/** Of the most: how much a batch grows again with each success. */
const GROWTH = 1 / 64;

/** How many messages are applied at once: half as many once a batch took too long, and slowly more again. */
export class BatchSize {
  readonly #most: number;
  #now: number;

  constructor(most: number) {
    this.#most = most;
    this.#now = most;
  }

  get now(): number {
    return this.#now;
  }

  /** Partitions share the size, and their batches fail together: it is half of what was tried. */
  tookTooLong(count: number): void {
    this.#now = Math.min(this.#now, Math.ceil(count / 2));
  }

  wasApplied(count: number): void {
    if (count < this.#now) return;
    this.#now = Math.min(this.#most, this.#now + Math.ceil(this.#most * GROWTH));
  }
}
