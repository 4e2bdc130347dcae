import type { Logger } from "../../platform/logger.ts";
import type { RunningAttempt } from "./attempt.ts";
import type { ClaimedDelivery } from "./claim-store.ts";
import type { DueLane } from "./due-store.ts";
import { Lane } from "./lane.ts";
import type { AttemptResult } from "./result-store.ts";

const CLAIM_BATCH = 128;
const MAX_CLAIMS = 2;
const FETCH_LANES = 50;
const FETCH_LIMIT = 100;
const FAULT_PAUSE_MS = 500;
/** Idle lanes beyond this are forgotten, and their windows with them. */
const MAX_LANES = 10_000;

export interface SchedulerOptions {
  readonly concurrency: number;
  readonly claim: (ids: readonly string[]) => Promise<readonly ClaimedDelivery[]>;
  readonly fetchDue: (keys: readonly string[], limit: number) => Promise<readonly DueLane[]>;
  readonly start: (delivery: ClaimedDelivery) => Promise<RunningAttempt>;
  readonly onResult: (result: AttemptResult) => void;
  /** Deliveries whose attempts were cut off by a stop. */
  readonly giveBack: (deliveries: readonly ClaimedDelivery[]) => Promise<void>;
  /** Whether results wait to be written in such numbers that no more attempts should be made. */
  readonly isCongested: () => boolean;
  readonly log: Logger;
}

interface Pick {
  readonly lane: Lane;
  readonly id: string;
}

/**
 * Which delivery is attempted when, in this process: lanes take turns, each within its window, all within one cap.
 * What it holds in memory is a hint; a delivery is this process's only once it is claimed.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #lanes = new Map<string, Lane>();
  #ready: Lane[] = [];
  #inFlight = 0;
  #claims = 0;
  #fetching = false;
  #isPaused = false;
  #isStopped = false;
  #pumpIsDue = false;
  readonly #running = new Map<ClaimedDelivery, RunningAttempt>();
  #onIdle: (() => void) | null = null;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Deliveries that are said to be due. */
  offer(key: string, ids: readonly string[]): void {
    const lane = this.#lane(key);
    lane.offer(ids);
    this.#schedule(lane);
  }

  /** Lanes for which Postgres holds something due. */
  wake(keys: readonly string[]): void {
    for (const key of keys) {
      const lane = this.#lane(key);
      lane.wake();
      this.#schedule(lane);
    }
  }

  /** There may be room again outside of the lanes. */
  poke(): void {
    if (this.#pumpIsDue) return;
    this.#pumpIsDue = true;
    setImmediate(() => {
      this.#pumpIsDue = false;
      this.#pump();
    });
  }

  /** No new claims; waits for running attempts, and gives back the leases of those that outlast the time. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    const idle = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    this.#tellIdle();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([idle, late]);
    clearTimeout(timer);
    const cut = [...this.#running.keys()];
    for (const attempt of this.#running.values()) attempt.cancel();
    if (cut.length > 0) await this.#options.giveBack(cut);
  }

  #lane(key: string): Lane {
    let lane = this.#lanes.get(key);
    if (lane === undefined) {
      lane = new Lane(key);
      this.#lanes.set(key, lane);
    }
    return lane;
  }

  #schedule(lane: Lane): void {
    if (!lane.isReady && lane.canWork) {
      lane.isReady = true;
      this.#ready.push(lane);
    }
    if (this.#ready.length > 0) this.poke();
  }

  #pump(): void {
    while (!this.#isStopped && !this.#isPaused && this.#claims < MAX_CLAIMS) {
      const { picks, hungry } = this.#pick();
      if (hungry.length > 0) void this.#fetch(hungry);
      if (picks.length === 0) return;
      void this.#claim(picks);
    }
  }

  /** One delivery per lane and turn, until there is nothing to give or no room to take it. */
  #pick(): { picks: Pick[]; hungry: Lane[] } {
    const picks: Pick[] = [];
    const hungry: Lane[] = [];
    const waiting: Lane[] = [];
    const capacity = this.#options.isCongested() ? 0 : this.#options.concurrency - this.#inFlight;
    const most = Math.min(CLAIM_BATCH, capacity);
    while (picks.length < most) {
      const lane = this.#ready.shift();
      if (lane === undefined) break;
      const id = lane.window.room > 0 ? lane.take() : null;
      if (id !== null) {
        lane.window.start();
        picks.push({ lane, id });
        this.#ready.push(lane);
      } else if (lane.canWork && (this.#fetching || hungry.length >= FETCH_LANES)) {
        waiting.push(lane);
      } else {
        lane.isReady = false;
        if (lane.canWork) hungry.push(lane);
      }
    }
    this.#ready.push(...waiting);
    this.#inFlight += picks.length;
    return { picks, hungry };
  }

  async #fetch(lanes: readonly Lane[]): Promise<void> {
    this.#fetching = true;
    for (const lane of lanes) lane.beginFetch();
    const found = new Map<string, readonly string[]>();
    let failed = false;
    try {
      const keys = lanes.map((lane) => lane.key);
      for (const due of await this.#options.fetchDue(keys, FETCH_LIMIT)) {
        found.set(due.endpoint_key, due.delivery_ids);
      }
    } catch (error) {
      failed = true;
      this.#pause(error);
    }
    this.#fetching = false;
    for (const lane of lanes) {
      const ids = found.get(lane.key) ?? [];
      lane.endFetch(ids, !failed && ids.length < FETCH_LIMIT);
      this.#schedule(lane);
    }
    this.poke();
  }

  async #claim(picks: readonly Pick[]): Promise<void> {
    this.#claims += 1;
    const lanes = new Map(picks.map(({ id, lane }) => [id, lane]));
    let claimed: readonly ClaimedDelivery[] = [];
    try {
      claimed = await this.#options.claim([...lanes.keys()]);
    } catch (error) {
      // What these were is in Postgres; the sweeper brings them again.
      this.#pause(error);
    }
    this.#claims -= 1;
    for (const delivery of claimed) {
      const lane = lanes.get(delivery.id);
      if (lane !== undefined) void this.#run(lane, delivery);
    }
    this.#release(picks, new Set(claimed.map((delivery) => delivery.id)));
    this.poke();
  }

  /** What was picked and not claimed: not due, another's, settled, or offered twice. */
  #release(picks: readonly Pick[], claimed: Set<string>): void {
    for (const { id, lane } of picks) {
      if (claimed.delete(id)) continue;
      this.#inFlight -= 1;
      lane.window.cancel();
      this.#schedule(lane);
    }
    this.#tellIdle();
  }

  async #run(lane: Lane, delivery: ClaimedDelivery): Promise<void> {
    const startedMs = performance.now();
    let result: AttemptResult | null = null;
    try {
      const attempt = await this.#options.start(delivery);
      this.#running.set(delivery, attempt);
      result = await attempt.result;
    } catch (error) {
      // Not an answer of the receiver's: the lease ends by itself and the attempt is made again.
      const fields = { err: error, delivery_id: delivery.id, event_id: delivery.event_id };
      this.#options.log.error(fields, "an attempt could not be made");
    }
    this.#running.delete(delivery);
    this.#inFlight -= 1;
    const code = result?.entry.error?.code;
    const timedOut = code === "timeout_connect" || code === "timeout_response";
    lane.window.end(timedOut, startedMs, performance.now());
    if (result !== null) this.#options.onResult(result);
    this.#schedule(lane);
    this.#forget(lane);
    if (this.#ready.length > 0) this.poke();
    this.#tellIdle();
  }

  #pause(error: unknown): void {
    this.#options.log.warn({ err: error }, "deliveries were not claimed");
    if (this.#isPaused) return;
    this.#isPaused = true;
    setTimeout(() => {
      this.#isPaused = false;
      this.poke();
    }, FAULT_PAUSE_MS);
  }

  #forget(lane: Lane): void {
    if (this.#lanes.size > MAX_LANES && lane.isIdle && !lane.isReady) this.#lanes.delete(lane.key);
  }

  #tellIdle(): void {
    if (this.#inFlight === 0 && this.#claims === 0) this.#onIdle?.();
  }
}
