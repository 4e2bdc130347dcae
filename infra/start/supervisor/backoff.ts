const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 5_000;
const HEALTHY_AFTER_MS = 30_000;

/** The delay before a dead program is restarted: doubles from 100 ms to 5 s, and starts over after 30 s of health. */
export class Backoff {
  #nextMs = FIRST_DELAY_MS;

  /** `healthyMs`: how long the program was ready before it died, 0 when it never was. */
  delayAfter(healthyMs: number): number {
    if (healthyMs >= HEALTHY_AFTER_MS) this.#nextMs = FIRST_DELAY_MS;
    const delay = this.#nextMs;
    this.#nextMs = Math.min(delay * 2, MAX_DELAY_MS);
    return delay;
  }
}
