const MAX_QUEUED = 200;

/** What is known here of the deliveries that wait in one line of a queue. */
export class Backlog {
  #queue: string[] = [];
  #next = 0;
  /** Postgres may hold more that is due than the queue does. */
  #hasMore = false;
  #fetching = false;
  #missed = false;

  get queued(): number {
    return this.#queue.length - this.#next;
  }

  /** Nothing is known here that is yet to be done. */
  get isEmpty(): boolean {
    return this.queued === 0 && !this.#hasMore && !this.#fetching;
  }

  get wantsFetch(): boolean {
    return this.queued === 0 && this.#hasMore && !this.#fetching;
  }

  /** While Postgres holds more, new ones stay there too: so the longest due are fetched first, and memory is bounded. */
  offer(ids: readonly string[]): void {
    if (this.#hasMore || this.#fetching) this.#noteMore();
    else if (this.queued + ids.length > MAX_QUEUED) this.#hasMore = true;
    else this.#append(ids);
  }

  /** Says that something is due without saying what; a line that is busy gets to it by itself. */
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
