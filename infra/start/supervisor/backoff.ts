const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;
const HEALTHY_AFTER_MS = 30_000;

/** How long to wait before a dead program is started again: from 100 ms doubling to 5 s, and from 100 ms again after 30 s of health. */
export class Backoff {
  #nextMs = FIRST_DELAY_MS;

  /** `healthyMs`: for how long the program was ready before it died, 0 when it never was. */
  delayAfter(healthyMs: number): number {
    if (healthyMs >= HEALTHY_AFTER_MS) this.#nextMs = FIRST_DELAY_MS;
    const delay = this.#nextMs;
    this.#nextMs = Math.min(delay * 2, LONGEST_DELAY_MS);
    return delay;
  }
}
