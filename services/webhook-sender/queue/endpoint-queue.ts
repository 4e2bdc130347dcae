import { Pace } from "./pace.ts";
import { PRIORITIES, type Priority } from "./priority.ts";
import { AttemptWindow } from "./window.ts";

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

/** The waiting deliveries of one line of an endpoint queue that were fetched, and whether Postgres may hold more. */
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

  /** `isAll` if Postgres held no more. */
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

  /** The lines of which Postgres holds more than this process knows. */
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

  /** How many new deliveries may begin at once: none while others wait, or where a rate is kept. */
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
    const kept = Math.max(1, Math.floor(size / SHARE));
    return priority !== recovery || this.#recovering < Math.max(1, size - kept);
  }

  #order(): readonly Priority[] {
    if (this.#starts % SHARE !== SHARE - 1) return IN_ORDER;
    return this.#starts % (SHARE * SHARE) === SHARE * SHARE - 1 ? LOWEST_FIRST : LOWER_FIRST;
  }
}
