/** Starts are reserved for this long ahead. */
const AHEAD_MS = 100;
/** Slots lie a little wider than asked, because starts are some milliseconds early or late. */
const SLACK = 1.05;
/** Slots older than this are let go, so that what was late does not come in a heap. */
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
  /** Starts that were made before the rate was known. */
  #debt = 0;
  /** Whether a timer or a reservation brings its lane back. */
  isAwaited = false;

  /** The rate as a claim tells it; the claimed start counts where there was none before. */
  setRate(perSecond: number | null): void {
    if (perSecond === this.#perSecond) return;
    this.#debt = this.#perSecond === null ? 1 : 0;
    this.#perSecond = perSecond;
    this.#slots = [];
  }

  /** How many may start now. */
  room(nowMs: number): number {
    if (this.#perSecond === null) return Infinity;
    const late = nowMs - Math.max(LATE_MS, this.#stepMs);
    this.#slots = this.#slots.filter((slot) => slot > late);
    return this.#slots.filter((slot) => slot <= nowMs).length;
  }

  /** Uses a slot that `room` counted. */
  take(): void {
    this.#slots.shift();
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
    for (let n = this.#debt; n < count; n += 1) this.#slots.push(firstMs + n * stepMs);
    this.#debt = 0;
  }

  get #stepMs(): number {
    return (1_000 / (this.#perSecond ?? 1)) * SLACK;
  }
}
