/** Starts are reserved for this long ahead. */
const AHEAD_MS = 100;
/** Slots lie a little wider than asked, because starts are some milliseconds early or late. */
const SLACK = 1.05;
/** So late a start may be without those behind it being moved: the slack has room for it. */
const LATE_MS = 20;

/** Starts of an endpoint in time: `count` of them, one each `stepMs`. */
export interface Reservation {
  readonly count: number;
  readonly stepMs: number;
}

/**
 * When the attempts of an endpoint with a `max_per_second` may start in this process. Its slots are reserved in Postgres,
 * so that all processes together keep the rate. Times are milliseconds of one monotonic clock.
 */
export class Pace {
  #perSecond: number | null = null;
  #slots: number[] = [];
  #notBeforeMs = -Infinity;
  /** Starts that were made before the rate was known. */
  #debt = 0;
  /** Whether a timer or a reservation brings its queue back. */
  isAwaited = false;

  get isLimited(): boolean {
    return this.#perSecond !== null;
  }

  /** The rate as a claim tells it; whether there was none before: then the claimed start counts. */
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

  /** Uses a slot that `room` counted. What follows a start that was late comes later too, not in a heap with it. */
  take(nowMs: number): void {
    const slot = this.#slots.shift();
    if (slot === undefined) return;
    const lateMs = nowMs - slot - LATE_MS;
    if (lateMs > 0) this.#slots = this.#slots.map((next) => next + lateMs);
    this.#notBeforeMs = slot + Math.max(0, lateMs) + this.#stepMs;
  }

  /** Until the next slot; null where none is reserved. */
  waitMs(nowMs: number): number | null {
    const [next] = this.#slots;
    return next === undefined ? null : Math.max(0, next - nowMs);
  }

  /** What to reserve so that `wanted` may start. */
  reservation(wanted: number): Reservation {
    const most = Math.ceil(((this.#perSecond ?? 1) * AHEAD_MS) / 1_000);
    return { count: Math.min(Math.max(1, wanted), most) + this.#debt, stepMs: this.#stepMs };
  }

  /** Slots as they were reserved. */
  grant({ count, stepMs }: Reservation, firstMs: number): void {
    const fromMs = Math.max(firstMs, this.#notBeforeMs);
    for (let n = this.#debt; n < count; n += 1) this.#slots.push(fromMs + n * stepMs);
    this.#debt = 0;
  }

  get #stepMs(): number {
    return (1_000 / (this.#perSecond ?? 1)) * SLACK;
  }
}
