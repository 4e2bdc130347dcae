import type { ClaimedDelivery } from "../store/claim-deliveries.ts";
import type { DueDeliveries } from "../store/due-deliveries.ts";
import { HostCaps } from "./host-caps.ts";
import { EndpointQueue, type Taken } from "./endpoint-queue.ts";
import type { Reservation } from "./pace.ts";
import type { DueLine, Priority } from "./priority.ts";
import { Round } from "./round.ts";

const FETCH_QUEUES = 50;
const FETCH_LIMIT = 100;
/** When others have reserved an endpoint's next starts. */
const RESERVED_PAUSE_MS = 250;
/** Idle queues beyond this are forgotten, and their windows with them. */
const MAX_QUEUES = 10_000;

export interface SlotsOptions {
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

/** A delivery that is to be claimed. It counts in its queue and, where that is known, at its host until `end`. */
export interface Slot extends Taken {
  readonly queue: EndpointQueue;
  readonly host: string | null;
  /** Whether it began within a rate. */
  readonly isPaced: boolean;
}

/**
 * Whose slot it is: accounts one after the other, and each one's queues, every queue within its window and its pace, its
 * host within a cap.
 */
export class Slots {
  readonly #options: SlotsOptions;
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #round = new Round();
  readonly #hosts: HostCaps;
  #fetching = false;

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.#hosts = new HostCaps(options.perHost);
  }

  offer({ endpoint_key: key, priority }: DueLine, ids: readonly string[]): void {
    const queue = this.#queue(key);
    queue.line(priority).offer(ids);
    this.#schedule(queue);
  }

  wake({ endpoint_key: key, priority }: DueLine): void {
    const queue = this.#queue(key);
    queue.line(priority).wake();
    this.#schedule(queue);
  }

  /** Up to `most` deliveries of priorities up to `lowest`, one per queue and slot; fetches what runs short. */
  pick(most: number, lowest: Priority): readonly Slot[] {
    const slots: Slot[] = [];
    const hungry = new Map<EndpointQueue, readonly Priority[]>();
    const waiting: EndpointQueue[] = [];
    const nowMs = performance.now();
    while (slots.length < most) {
      const queue = this.#round.next();
      if (queue === null) break;
      const wanted = queue.hungry;
      if (wanted.length > 0 && !this.#fetching && hungry.size < FETCH_QUEUES) {
        hungry.set(queue, wanted);
      }
      if (queue.room === 0 || this.#isHeld(queue, nowMs)) continue;
      const taken = queue.take(lowest);
      if (taken !== null) {
        slots.push(this.#begin(queue, taken, nowMs));
        this.#round.add(queue);
      } else if (queue.canWork && !hungry.has(queue)) waiting.push(queue);
    }
    for (const queue of waiting) this.#round.add(queue);
    if (hungry.size > 0) void this.#fetch(hungry);
    return slots;
  }

  /**
   * Notes what the claim of a slot told; the slot as it counts now, or null where its host has no room for it, or its
   * endpoint a rate by now that others began before.
   */
  admit(slot: Slot, delivery: ClaimedDelivery): Slot | null {
    const { queue, priority } = slot;
    const { host } = new URL(delivery.url);
    queue.facts = { accountId: delivery.account_id, host };
    const isFirst = queue.pace.setRate(delivery.max_per_second);
    if (delivery.max_per_second !== null && !slot.isPaced && !isFirst) {
      queue.line(priority).wake();
      return null;
    }
    if (slot.host === host) return slot;
    if (!this.#hosts.hasRoom(host)) {
      queue.line(priority).wake();
      return null;
    }
    this.#hosts.start(host);
    this.#leave(slot.host);
    this.#schedule(queue);
    return { ...slot, host };
  }

  /** Ends a slot, after its window was told how. */
  end({ queue, priority, host }: Slot): void {
    queue.ended(priority);
    this.#leave(host);
    this.#schedule(queue);
    if (this.#queues.size > MAX_QUEUES && queue.isIdle && !queue.isReady)
      this.#queues.delete(queue.key);
    if (!this.#round.isEmpty) this.#options.onReady();
  }

  #queue(key: string): EndpointQueue {
    let queue = this.#queues.get(key);
    if (queue === undefined) {
      queue = new EndpointQueue(key);
      this.#queues.set(key, queue);
    }
    return queue;
  }

  #schedule(queue: EndpointQueue): void {
    if (!queue.canWork) return;
    this.#round.add(queue);
    this.#options.onReady();
  }

  #begin(queue: EndpointQueue, taken: Taken, nowMs: number): Slot {
    const host = queue.facts?.host ?? null;
    if (host !== null) this.#hosts.start(host);
    queue.pace.take(nowMs);
    return { ...taken, queue, host, isPaced: queue.pace.isLimited };
  }

  #leave(host: string | null): void {
    if (host === null) return;
    for (const queue of this.#hosts.end(host)) this.#schedule(queue);
  }

  /** Whether its host or its pace holds a queue back; these bring it into the round again. */
  #isHeld(queue: EndpointQueue, nowMs: number): boolean {
    const host = queue.facts?.host ?? null;
    if (host !== null && !this.#hosts.hasRoom(host)) {
      this.#hosts.hold(host, queue);
      return true;
    }
    if (queue.queued === 0 || queue.pace.room(nowMs) > 0) return false;
    if (!queue.pace.isAwaited) void this.#awaitPace(queue, nowMs);
    return true;
  }

  async #awaitPace(queue: EndpointQueue, nowMs: number): Promise<void> {
    const { pace } = queue;
    pace.isAwaited = true;
    let waitMs = pace.waitMs(nowMs);
    if (waitMs === null) {
      const starts = pace.reservation(queue.queued);
      try {
        waitMs = await this.#options.reserve(queue.key, starts);
        if (waitMs !== null) pace.grant(starts, performance.now() + waitMs);
      } catch (error) {
        this.#options.onFault(error);
      }
    }
    setTimeout(() => {
      pace.isAwaited = false;
      this.#schedule(queue);
    }, waitMs ?? RESERVED_PAUSE_MS).unref();
  }

  async #fetch(hungry: ReadonlyMap<EndpointQueue, readonly Priority[]>): Promise<void> {
    this.#fetching = true;
    const wanted = [...hungry].flatMap(([queue, priorities]) =>
      priorities.map((priority) => ({ queue, priority })),
    );
    for (const { queue, priority } of wanted) queue.line(priority).beginFetch();
    const found = new Map<string, readonly string[]>();
    let failed = false;
    try {
      const lines = wanted.map(({ queue, priority }) => ({ endpoint_key: queue.key, priority }));
      for (const due of await this.#options.fetchDue(lines, FETCH_LIMIT)) {
        found.set(`${due.endpoint_key} ${due.priority}`, due.delivery_ids);
      }
    } catch (error) {
      failed = true;
      this.#options.onFault(error);
    }
    this.#fetching = false;
    for (const { queue, priority } of wanted) {
      const ids = found.get(`${queue.key} ${priority}`) ?? [];
      queue.line(priority).endFetch(ids, !failed && ids.length < FETCH_LIMIT);
      this.#schedule(queue);
    }
    if (!this.#round.isEmpty) this.#options.onReady();
  }
}
