const MAX_QUEUED = 200;

/** The waiting deliveries of one line of an endpoint queue, as far as this process knows them. */
export class Backlog {
  #queue: string[] = [];
  #next = 0;
  /** Postgres may hold more due deliveries than the queue does. */
  #hasMore = false;
  #fetching = false;
  #missed = false;

  get queued(): number {
    return this.#queue.length - this.#next;
  }

  /** No deliveries are known to wait. */
  get isEmpty(): boolean {
    return this.queued === 0 && !this.#hasMore && !this.#fetching;
  }

  get wantsFetch(): boolean {
    return this.queued === 0 && this.#hasMore && !this.#fetching;
  }

  /**
   * While Postgres holds more, new ones stay there too, so that the longest due are fetched first and
   * memory is bounded.
   */
  offer(ids: readonly string[]): void {
    if (this.#hasMore || this.#fetching) this.#noteMore();
    else if (this.queued + ids.length > MAX_QUEUED) this.#hasMore = true;
    else this.#append(ids);
  }

  /** Signals that something is due without naming it; a busy line fetches it later anyway. */
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

  /** `isAll` if Postgres holds no more. */
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
