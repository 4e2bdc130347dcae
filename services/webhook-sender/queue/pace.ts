/** Starts are reserved for this long ahead. */
const AHEAD_MS = 100;
/** Slots are spaced a little wider than the rate, because starts are some milliseconds early or late. */
const SLACK = 1.05;
/** A start may be this late without moving the slots after it: the slack absorbs it. */
const LATE_MS = 20;

/** A number of starts of an endpoint, one every `stepMs`. */
export interface Reservation {
  readonly count: number;
  readonly stepMs: number;
}

/**
 * When the attempts of an endpoint with a `max_per_second` may start in this process. Its slots are
 * reserved in Postgres, so that all processes together keep the rate. Times are milliseconds of one
 * monotonic clock.
 */
export class Pace {
  #perSecond: number | null = null;
  #slots: number[] = [];
  #notBeforeMs = -Infinity;
  /** Starts made before the rate was known. */
  #debt = 0;
  /** Whether a timer or a reservation will reschedule its queue. */
  isAwaited = false;

  get isLimited(): boolean {
    return this.#perSecond !== null;
  }

  /**
   * Sets the rate from a claim. Returns whether there was none before: the claimed start then uses a
   * slot.
   */
  setRate(perSecond: number | null): boolean {
    if (perSecond === this.#perSecond) return false;
    const isFirst = this.#perSecond === null;
    this.#debt = isFirst ? 1 : 0;
    this.#perSecond = perSecond;
    this.#slots = [];
    this.#notBeforeMs = -Infinity;
    return isFirst;
  }

  /** How many may start now. */
  room(nowMs: number): number {
    if (this.#perSecond === null) return Infinity;
    const late = nowMs - Math.max(LATE_MS, this.#stepMs);
    this.#slots = this.#slots.filter((slot) => slot > late);
    return this.#slots.filter((slot) => slot <= nowMs).length;
  }

  /**
   * Uses a slot that `room` counted. A late start delays the slots after it, so that they do not bunch
   * up.
   */
  take(nowMs: number): void {
    const slot = this.#slots.shift();
    if (slot === undefined) return;
    const lateMs = nowMs - slot - LATE_MS;
    if (lateMs > 0) this.#slots = this.#slots.map((next) => next + lateMs);
    this.#notBeforeMs = slot + Math.max(0, lateMs) + this.#stepMs;
  }

  /** Milliseconds until the next slot; null if none is reserved. */
  waitMs(nowMs: number): number | null {
    const [next] = this.#slots;
    return next === undefined ? null : Math.max(0, next - nowMs);
  }

  /** The reservation needed for `wanted` starts. */
  reservation(wanted: number): Reservation {
    const most = Math.ceil(((this.#perSecond ?? 1) * AHEAD_MS) / 1_000);
    return { count: Math.min(Math.max(1, wanted), most) + this.#debt, stepMs: this.#stepMs };
  }

  /** Adds the reserved slots, the first at `firstMs`. */
  grant({ count, stepMs }: Reservation, firstMs: number): void {
    const fromMs = Math.max(firstMs, this.#notBeforeMs);
    for (let n = this.#debt; n < count; n += 1) this.#slots.push(fromMs + n * stepMs);
    this.#debt = 0;
  }

  get #stepMs(): number {
    return (1_000 / (this.#perSecond ?? 1)) * SLACK;
  }
}
