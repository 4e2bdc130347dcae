import type { ClaimedDelivery } from "../store/claim-deliveries.ts";
import type { DueDeliveries } from "../store/due-deliveries.ts";
import { HostCaps } from "./host-caps.ts";
import { Lane, type Taken } from "./endpoint-queue.ts";
import type { Reservation } from "./pace.ts";
import type { DueLine, Priority } from "./priority.ts";
import { Round } from "./round.ts";

const FETCH_LANES = 50;
const FETCH_LIMIT = 100;
/** When others have reserved an endpoint's next starts. */
const RESERVED_PAUSE_MS = 250;
/** Idle lanes beyond this are forgotten, and their windows with them. */
const MAX_LANES = 10_000;

export interface TurnsOptions {
  /** How many attempts may go to one host. */
  readonly perHost: number;
  readonly fetchDue: (
    lines: readonly DueLine[],
    limit: number,
  ) => Promise<readonly DueDeliveries[]>;
  /** Milliseconds until the first of the starts; null where others have reserved what comes next. */
  readonly reserve: (endpointKey: string, starts: Reservation) => Promise<number | null>;
  /** There is something to pick. */
  readonly onReady: () => void;
  readonly onFault: (error: unknown) => void;
}

/** A delivery that is to be claimed. It counts in its lane and, where that is known, at its host until `end`. */
export interface Turn extends Taken {
  readonly lane: Lane;
  readonly host: string | null;
  /** Whether it began within a rate. */
  readonly isPaced: boolean;
}

/**
 * Whose turn it is: accounts one after the other, and each one's lanes, every lane within its window and its pace, its
 * host within a cap.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #round = new Round();
  readonly #hosts: HostCaps;
  #fetching = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#hosts = new HostCaps(options.perHost);
  }

  offer({ endpoint_key: key, priority }: DueLine, ids: readonly string[]): void {
    const lane = this.#lane(key);
    lane.line(priority).offer(ids);
    this.#schedule(lane);
  }

  wake({ endpoint_key: key, priority }: DueLine): void {
    const lane = this.#lane(key);
    lane.line(priority).wake();
    this.#schedule(lane);
  }

  /** Up to `most` deliveries of priorities up to `lowest`, one per lane and turn; fetches what runs short. */
  pick(most: number, lowest: Priority): readonly Turn[] {
    const turns: Turn[] = [];
    const hungry = new Map<Lane, readonly Priority[]>();
    const waiting: Lane[] = [];
    const nowMs = performance.now();
    while (turns.length < most) {
      const lane = this.#round.next();
      if (lane === null) break;
      const wanted = lane.hungry;
      if (wanted.length > 0 && !this.#fetching && hungry.size < FETCH_LANES) {
        hungry.set(lane, wanted);
      }
      if (lane.room === 0 || this.#isHeld(lane, nowMs)) continue;
      const taken = lane.take(lowest);
      if (taken !== null) {
        turns.push(this.#begin(lane, taken, nowMs));
        this.#round.add(lane);
      } else if (lane.canWork && !hungry.has(lane)) waiting.push(lane);
    }
    for (const lane of waiting) this.#round.add(lane);
    if (hungry.size > 0) void this.#fetch(hungry);
    return turns;
  }

  /**
   * Notes what the claim of a turn told; the turn as it counts now, or null where its host has no room for it, or its
   * endpoint a rate by now that others began before.
   */
  admit(turn: Turn, delivery: ClaimedDelivery): Turn | null {
    const { lane, priority } = turn;
    const { host } = new URL(delivery.url);
    lane.facts = { accountId: delivery.account_id, host };
    const isFirst = lane.pace.setRate(delivery.max_per_second);
    if (delivery.max_per_second !== null && !turn.isPaced && !isFirst) {
      lane.line(priority).wake();
      return null;
    }
    if (turn.host === host) return turn;
    if (!this.#hosts.hasRoom(host)) {
      lane.line(priority).wake();
      return null;
    }
    this.#hosts.start(host);
    this.#leave(turn.host);
    this.#schedule(lane);
    return { ...turn, host };
  }

  /** Ends a turn, after its window was told how. */
  end({ lane, priority, host }: Turn): void {
    lane.ended(priority);
    this.#leave(host);
    this.#schedule(lane);
    if (this.#lanes.size > MAX_LANES && lane.isIdle && !lane.isReady) this.#lanes.delete(lane.key);
    if (!this.#round.isEmpty) this.#options.onReady();
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
    if (!lane.canWork) return;
    this.#round.add(lane);
    this.#options.onReady();
  }

  #begin(lane: Lane, taken: Taken, nowMs: number): Turn {
    const host = lane.facts?.host ?? null;
    if (host !== null) this.#hosts.start(host);
    lane.pace.take(nowMs);
    return { ...taken, lane, host, isPaced: lane.pace.isLimited };
  }

  #leave(host: string | null): void {
    if (host === null) return;
    for (const lane of this.#hosts.end(host)) this.#schedule(lane);
  }

  /** Whether its host or its pace holds a lane back; these bring it into the round again. */
  #isHeld(lane: Lane, nowMs: number): boolean {
    const host = lane.facts?.host ?? null;
    if (host !== null && !this.#hosts.hasRoom(host)) {
      this.#hosts.park(host, lane);
      return true;
    }
    if (lane.queued === 0 || lane.pace.room(nowMs) > 0) return false;
    if (!lane.pace.isAwaited) void this.#awaitPace(lane, nowMs);
    return true;
  }

  async #awaitPace(lane: Lane, nowMs: number): Promise<void> {
    const { pace } = lane;
    pace.isAwaited = true;
    let waitMs = pace.waitMs(nowMs);
    if (waitMs === null) {
      const starts = pace.reservation(lane.queued);
      try {
        waitMs = await this.#options.reserve(lane.key, starts);
        if (waitMs !== null) pace.grant(starts, performance.now() + waitMs);
      } catch (error) {
        this.#options.onFault(error);
      }
    }
    setTimeout(() => {
      pace.isAwaited = false;
      this.#schedule(lane);
    }, waitMs ?? RESERVED_PAUSE_MS).unref();
  }

  async #fetch(hungry: ReadonlyMap<Lane, readonly Priority[]>): Promise<void> {
    this.#fetching = true;
    const wanted = [...hungry].flatMap(([lane, priorities]) =>
      priorities.map((priority) => ({ lane, priority })),
    );
    for (const { lane, priority } of wanted) lane.line(priority).beginFetch();
    const found = new Map<string, readonly string[]>();
    let failed = false;
    try {
      const lines = wanted.map(({ lane, priority }) => ({ endpoint_key: lane.key, priority }));
      for (const due of await this.#options.fetchDue(lines, FETCH_LIMIT)) {
        found.set(`${due.endpoint_key} ${due.priority}`, due.delivery_ids);
      }
    } catch (error) {
      failed = true;
      this.#options.onFault(error);
    }
    this.#fetching = false;
    for (const { lane, priority } of wanted) {
      const ids = found.get(`${lane.key} ${priority}`) ?? [];
      lane.line(priority).endFetch(ids, !failed && ids.length < FETCH_LIMIT);
      this.#schedule(lane);
    }
    if (!this.#round.isEmpty) this.#options.onReady();
  }
}
