import { AttemptWindow } from "./window.ts";

const MAX_QUEUED = 200;

/** One endpoint, or one URL of orders' own, in this process: its window, and what of its deliveries is known here. */
export class Lane {
  readonly key: string;
  readonly window = new AttemptWindow();
  /** Whether it stands in the scheduler's round. */
  isReady = false;
  #queue: string[] = [];
  #next = 0;
  /** Postgres may hold more that is due than the queue does. */
  #hasMore = false;
  #fetching = false;
  #missed = false;

  constructor(key: string) {
    this.key = key;
  }

  get queued(): number {
    return this.#queue.length - this.#next;
  }

  /** Nothing is known here that is yet to be done. */
  get isIdle(): boolean {
    return this.queued === 0 && this.window.inFlight === 0 && !this.#hasMore && !this.#fetching;
  }

  /** It has something to do and room to do it. */
  get canWork(): boolean {
    return this.window.room > 0 && (this.queued > 0 || this.wantsFetch);
  }

  get wantsFetch(): boolean {
    return this.queued === 0 && this.#hasMore && !this.#fetching;
  }

  /** While Postgres holds more, new ones stay there too: so the most urgent are fetched first, and memory is bounded. */
  offer(ids: readonly string[]): void {
    if (this.#hasMore || this.#fetching) this.#noteMore();
    else if (this.queued + ids.length > MAX_QUEUED) this.#hasMore = true;
    else this.#append(ids);
  }

  /** Says that something is due without saying what; a lane that is busy gets to it by itself. */
  wake(): void {
    if (this.queued === 0) this.#noteMore();
  }

  take(): string | null {
    const id = this.#queue[this.#next];
    if (id === undefined) return null;
    this.#next += 1;
    if (this.#next === this.#queue.length) {
      this.#queue = [];
      this.#next = 0;
    }
    return id;
  }

  beginFetch(): void {
    this.#fetching = true;
    this.#missed = false;
  }

  /** `isAll` where nothing was left behind. */
  endFetch(ids: readonly string[], isAll: boolean): void {
    this.#fetching = false;
    this.#hasMore = !isAll || this.#missed;
    this.#append(ids);
  }

  #noteMore(): void {
    this.#hasMore = true;
    if (this.#fetching) this.#missed = true;
  }

  #append(ids: readonly string[]): void {
    for (const id of ids) this.#queue.push(id);
  }
}
