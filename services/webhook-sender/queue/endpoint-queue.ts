/** A delivery's priority in its endpoint queue, as stored in its row; lower goes first. */
export const PRIORITIES = { first: 0, retry: 1, recovery: 2 } as const;

export type Priority = (typeof PRIORITIES)[keyof typeof PRIORITIES];

/** The deliveries of one priority of an endpoint, or of one URL set on orders. */
export interface DueLine {
  readonly endpoint_key: string;
  readonly priority: Priority;
}

const START = 8;
const MOST = 64;
const LEAST = 1;
/** A full window is refilled when half of it is free: claims are batched, and each costs a commit. */
const REFILL = 0.5;
/** A success widens the window if at least this share of it is in use. */
const USED = 0.75;
/** For each such time without an answer, half as many attempts may be in flight. */
const SILENCE_MS = 1_000;

/**
 * How many attempts one endpoint may have in flight: grows with successes while it is well used, and is
 * halved by a timeout. At its minimum, 1, it probes an endpoint that hangs. What it has grown to counts only as long as
 * answers come: it halves with each second of silence, so that an endpoint that begins to hang after a burst has few sockets.
 */
export class AttemptWindow {
  #size = START;
  #inFlight = 0;
  #full = false;
  /** A timeout of an attempt that started before this does not halve the window again. */
  #halvedAtMs = -Infinity;
  /** The last answer, or the first attempt since there was none in flight. */
  #heardAtMs = -Infinity;
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

  #allowed(): number {
    const silences = Math.min(Math.floor((this.#now() - this.#heardAtMs) / SILENCE_MS), MOST);
    const left = Math.floor(this.#size / 2 ** silences);
    const least = this.#inFlight === 0 ? Math.min(START, this.#size) : LEAST;
    return Math.max(least, left);
  }
}

/** One start in four goes to retries and recovery, and one in four of these to recovery. */
const SHARE = 4;
const { first, retry, recovery } = PRIORITIES;
const IN_ORDER: readonly Priority[] = [first, retry, recovery];
const LOWER_FIRST: readonly Priority[] = [retry, recovery, first];
const LOWEST_FIRST: readonly Priority[] = [recovery, retry, first];

export interface Taken {
  readonly id: string;
  readonly priority: Priority;
}

/** What a claim reveals about a queue. */
export interface QueueFacts {
  readonly accountId: string;
  readonly host: string;
}

/** The waiting deliveries of one line of an endpoint queue that were fetched, and whether Postgres may have more. */
export class Backlog {
  readonly #ids: string[] = [];
  #hasMore = false;
  #isFetching = false;

  get queued(): number {
    return this.#ids.length;
  }

  /** No deliveries are known to wait. */
  get isEmpty(): boolean {
    return this.queued === 0 && !this.#hasMore && !this.#isFetching;
  }

  get wantsFetch(): boolean {
    return this.queued === 0 && this.#hasMore && !this.#isFetching;
  }

  /** Something is due. It stays in Postgres until those before it have begun, so that memory is bounded. */
  wake(): void {
    this.#hasMore = true;
  }

  take(): string | null {
    return this.#ids.shift() ?? null;
  }

  beginFetch(): void {
    this.#isFetching = true;
    this.#hasMore = false;
  }

  /** `isAll` if Postgres had no more. */
  endFetch(ids: readonly string[], isAll: boolean): void {
    this.#isFetching = false;
    this.#hasMore ||= !isAll;
    this.#ids.push(...ids);
  }
}

/**
 * One endpoint, or one URL set on orders, in this process: its window, its pace and its known waiting
 * deliveries.
 */
export class EndpointQueue {
  readonly key: string;
  readonly window = new AttemptWindow();
  readonly pace = new Pace();
  /** Whether it is in the scheduler's round. */
  isReady = false;
  /** Null until the first claim. */
  facts: QueueFacts | null = null;
  readonly #lines = { [first]: new Backlog(), [retry]: new Backlog(), [recovery]: new Backlog() };
  #starts = 0;
  #recovering = 0;

  constructor(key: string) {
    this.key = key;
  }

  /** How many attempts the window allows now; a single one until the facts are known. */
  get room(): number {
    if (this.facts === null) return this.window.inFlight === 0 ? 1 : 0;
    return this.window.room;
  }

  get queued(): number {
    return IN_ORDER.reduce<number>((sum, priority) => sum + this.#lines[priority].queued, 0);
  }

  /** Nothing is in flight and no deliveries are known to wait. */
  get isIdle(): boolean {
    return this.window.inFlight === 0 && this.#isEmpty;
  }

  /** It has deliveries to start or fetch, and room for them. */
  get canWork(): boolean {
    return this.room > 0 && (this.#mayStart(recovery) || this.wantsFetch);
  }

  get wantsFetch(): boolean {
    return this.linesToFetch.length > 0;
  }

  /** The lines of which Postgres has more than this process knows. */
  get linesToFetch(): readonly Priority[] {
    return IN_ORDER.filter((priority) => this.#isOpen(priority) && this.line(priority).wantsFetch);
  }

  line(priority: Priority): Backlog {
    return this.#lines[priority];
  }

  /** The next delivery to start, of priorities up to `lowest`. */
  take(lowest: Priority): Taken | null {
    for (const priority of this.#order()) {
      if (priority > lowest || !this.#isOpen(priority)) continue;
      const id = this.line(priority).take();
      if (id === null) continue;
      this.#starts += 1;
      if (priority === recovery) this.#recovering += 1;
      this.window.start();
      return { id, priority };
    }
    return null;
  }

  /** How many new deliveries may begin at once: none while others wait, or where there is a rate. */
  get roomForNew(): number {
    return this.pace.isLimited || !this.#isEmpty ? 0 : this.room;
  }

  /** Starts a delivery that is claimed already. */
  begin(): void {
    this.#starts += 1;
    this.window.start();
  }

  /** Notes the end of a start of `take` or `begin`; its window is updated separately. */
  ended(priority: Priority): void {
    if (priority === recovery) this.#recovering -= 1;
  }

  get #isEmpty(): boolean {
    return IN_ORDER.every((priority) => this.line(priority).isEmpty);
  }

  #mayStart(lowest: Priority): boolean {
    return IN_ORDER.some(
      (priority) => priority <= lowest && this.#isOpen(priority) && this.line(priority).queued > 0,
    );
  }

  /**
   * Recovery leaves a quarter of the window, at least one slot, free, so that first attempts need not
   * wait.
   */
  #isOpen(priority: Priority): boolean {
    const { size } = this.window;
    const reserved = Math.max(1, Math.floor(size / SHARE));
    return priority !== recovery || this.#recovering < Math.max(1, size - reserved);
  }

  #order(): readonly Priority[] {
    if (this.#starts % SHARE !== SHARE - 1) return IN_ORDER;
    return this.#starts % (SHARE * SHARE) === SHARE * SHARE - 1 ? LOWEST_FIRST : LOWER_FIRST;
  }
}

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
