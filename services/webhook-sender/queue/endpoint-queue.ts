import { Backlog } from "./backlog.ts";
import { Pace } from "./pace.ts";
import { PRIORITIES, type Priority } from "./priority.ts";
import { AttemptWindow } from "./window.ts";

/** Of four starts one goes to what comes after first attempts, and of four of these one to recovery. */
const SHARE = 4;
const { first, retry, recovery } = PRIORITIES;
const IN_ORDER: readonly Priority[] = [first, retry, recovery];
const LOWER_FIRST: readonly Priority[] = [retry, recovery, first];
const LOWEST_FIRST: readonly Priority[] = [recovery, retry, first];

export interface Taken {
  readonly id: string;
  readonly priority: Priority;
}

/** What a claim tells of a queue. */
export interface QueueFacts {
  readonly accountId: string;
  readonly host: string;
}

/** One endpoint, or one URL of orders' own, in this process: its window, its pace and what of it is known to wait. */
export class EndpointQueue {
  readonly key: string;
  readonly window = new AttemptWindow();
  readonly pace = new Pace();
  /** Whether it stands in the scheduler's round. */
  isReady = false;
  /** Null until a claim has told. */
  facts: QueueFacts | null = null;
  readonly #lines = { [first]: new Backlog(), [retry]: new Backlog(), [recovery]: new Backlog() };
  #starts = 0;
  #recovering = 0;

  constructor(key: string) {
    this.key = key;
  }

  /** How many may start now as far as its window knows; one alone while nothing is known of it. */
  get room(): number {
    if (this.facts === null) return this.window.inFlight === 0 ? 1 : 0;
    return this.window.room;
  }

  get queued(): number {
    return IN_ORDER.reduce<number>((sum, priority) => sum + this.#lines[priority].queued, 0);
  }

  /** Nothing is known here that is yet to be done. */
  get isIdle(): boolean {
    return this.window.inFlight === 0 && IN_ORDER.every((priority) => this.line(priority).isEmpty);
  }

  /** It has something to do and room to do it. */
  get canWork(): boolean {
    return this.room > 0 && (this.#mayStart(recovery) || this.wantsFetch);
  }

  get wantsFetch(): boolean {
    return this.hungry.length > 0;
  }

  /** The lines that Postgres holds more of than is known here. */
  get hungry(): readonly Priority[] {
    return IN_ORDER.filter((priority) => this.#isOpen(priority) && this.line(priority).wantsFetch);
  }

  line(priority: Priority): Backlog {
    return this.#lines[priority];
  }

  /** The next one to start, of priorities up to `lowest`. */
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

  /** Notes the end of a start that `take` gave, besides what its window is told. */
  ended(priority: Priority): void {
    if (priority === recovery) this.#recovering -= 1;
  }

  #mayStart(lowest: Priority): boolean {
    return IN_ORDER.some(
      (priority) => priority <= lowest && this.#isOpen(priority) && this.line(priority).queued > 0,
    );
  }

  /** Recovery leaves a quarter of the window, at least one place, to what comes first: that need not wait. */
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
