import type { ClaimedDelivery } from "../store/claim-deliveries.ts";
import type { DueDeliveries } from "../store/due-deliveries.ts";
import {
  type EndpointQueue,
  type QueueFacts,
  type Taken,
  type Reservation,
  PRIORITIES,
  type DueLine,
  type Priority,
} from "./endpoint-queue.ts";
import { KnownQueues } from "./known-queues.ts";

interface Counted {
  inFlight: number;
  /** Queues that go on once one of these has ended. */
  readonly waiting: Set<EndpointQueue>;
}

interface CapsOptions {
  /** How many attempts one account may have in flight. */
  readonly perAccount: number;
  /** How many attempts may go to one host. */
  readonly perHost: number;
  /** How many of these may be one account's where others have endpoints at the host too. */
  readonly perAccountOfHost: number;
  readonly isShared: (host: string) => boolean;
}

/**
 * How many attempts each account, each host, and each account at a host may have in flight. An account alone at a host may
 * fill it. Once another is known there, also while that one has nothing to send, it may not: attempts that hang end too late
 * to make room.
 */
class Caps {
  readonly #options: CapsOptions;
  readonly #counted = new Map<string, Counted>();

  constructor(options: CapsOptions) {
    this.#options = options;
  }

  /** The name of what is full, an attempt of one's own not counted; null where there is room. */
  full(facts: QueueFacts, own: QueueFacts | null = null): string | null {
    const counted = own === null ? [] : this.#capsOf(own).map(({ name }) => name);
    const isFull = ({ name, cap }: { readonly name: string; readonly cap: number }) =>
      (this.#counted.get(name)?.inFlight ?? 0) - Number(counted.includes(name)) >= cap;
    return this.#capsOf(facts).find(isFull)?.name ?? null;
  }

  /** How many more may start without filling a cap; 0 while a queue waits for room in it. */
  spare(facts: QueueFacts): number {
    const spares = this.#capsOf(facts).map(({ name, cap }) => {
      const { inFlight, waiting } = this.#counted.get(name) ?? { inFlight: 0, waiting: null };
      return (waiting?.size ?? 0) > 0 ? 0 : cap - 1 - inFlight;
    });
    return Math.min(...spares);
  }

  start(facts: QueueFacts): void {
    for (const { name } of this.#capsOf(facts)) {
      const one = this.#counted.get(name);
      if (one === undefined) this.#counted.set(name, { inFlight: 1, waiting: new Set() });
      else one.inFlight += 1;
    }
  }

  /** Brings a queue into the round again once there may be room under the name. */
  await(name: string, queue: EndpointQueue): void {
    this.#counted.get(name)?.waiting.add(queue);
  }

  /** Ends a start; the queues that may go on now. */
  end(facts: QueueFacts): readonly EndpointQueue[] {
    return this.#capsOf(facts).flatMap(({ name }) => {
      const one = this.#counted.get(name);
      if (one === undefined) return [];
      one.inFlight -= 1;
      const released = [...one.waiting];
      one.waiting.clear();
      if (one.inFlight === 0) this.#counted.delete(name);
      return released;
    });
  }

  #capsOf({ accountId, host }: QueueFacts) {
    const { perAccount, perHost, perAccountOfHost, isShared } = this.#options;
    return [
      { name: accountId, cap: perAccount },
      { name: host, cap: perHost },
      { name: `${host} ${accountId}`, cap: isShared(host) ? perAccountOfHost : Infinity },
    ];
  }
}

const FETCH_QUEUES = 50;
const FETCH_LIMIT = 100;
/** The wait before asking again when other processes have reserved an endpoint's next starts. */
const RESERVED_PAUSE_MS = 250;
/** Idle queues beyond this number are forgotten, along with their windows. */
const MAX_QUEUES = 10_000;

export interface SlotsOptions extends Omit<CapsOptions, "isShared"> {
  readonly fetchDue: (
    lines: readonly DueLine[],
    limit: number,
  ) => Promise<readonly DueDeliveries[]>;
  /** Milliseconds until the first of the starts; null if other processes have reserved the next ones. */
  readonly reserve: (endpointKey: string, starts: Reservation) => Promise<number | null>;
  /** Called when there is something to pick. */
  readonly onReady: () => void;
  readonly onFault: (error: unknown) => void;
}

/** Room for one attempt. It counts in its queue and, where they are known, for its host and account until `end`. */
export interface Slot {
  readonly priority: Priority;
  readonly queue: EndpointQueue;
  readonly facts: QueueFacts | null;
  /** Whether it began within a rate. */
  readonly isPaced: boolean;
}

/** The slot of a delivery that is to be claimed. */
export type PickedSlot = Slot & Taken;

/**
 * Whose slot it is: accounts one after the other, and each one's queues, every queue within its window and its pace, its
 * host and its account within their caps.
 */
export class Slots {
  readonly #options: SlotsOptions;
  readonly #queues = new KnownQueues();
  readonly #caps: Caps;
  #fetching = false;

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.#caps = new Caps({ ...options, isShared: (host) => this.#queues.isShared(host) });
  }

  wake({ endpoint_key: key, priority }: DueLine): void {
    const queue = this.#queues.get(key);
    queue.line(priority).wake();
    this.#schedule(queue);
  }

  /**
   * Picks up to `most` deliveries of priorities up to `lowest`, one per queue at a time; fetches lines
   * that run short.
   */
  pick(most: number, lowest: Priority): readonly PickedSlot[] {
    const slots: PickedSlot[] = [];
    const toFetch = new Map<EndpointQueue, readonly Priority[]>();
    const waiting: EndpointQueue[] = [];
    const nowMs = performance.now();
    while (slots.length < most) {
      const queue = this.#queues.next();
      if (queue === null) break;
      const wanted = queue.linesToFetch;
      if (wanted.length > 0 && !this.#fetching && toFetch.size < FETCH_QUEUES) {
        toFetch.set(queue, wanted);
      }
      if (queue.room === 0 || this.#mustWait(queue, nowMs)) continue;
      const taken = queue.take(lowest);
      if (taken !== null) {
        slots.push(this.#begin(queue, taken, nowMs));
        this.#queues.addToRound(queue);
      } else if (queue.canWork && !toFetch.has(queue)) waiting.push(queue);
    }
    for (const queue of waiting) this.#queues.addToRound(queue);
    if (toFetch.size > 0) void this.#fetch(toFetch);
    return slots;
  }

  /**
   * How many deliveries of each known endpoint of the accounts, by their number of events, may be claimed as they are
   * created, `most` in all: where nothing else waits for the slots. It takes none, so that `admit` decides.
   */
  rooms(events: ReadonlyMap<string, number>, most: number): Record<string, number> {
    const rooms: Record<string, number> = {};
    const planned = new Map<string, number>();
    let left = most;
    for (const [accountId, count] of events) {
      for (const queue of this.#queues.ofAccount(accountId)) {
        const host = queue.facts?.host ?? "";
        const beside = Math.max(planned.get(host) ?? 0, planned.get(accountId) ?? 0);
        const spare = queue.facts === null ? 0 : this.#caps.spare(queue.facts) - beside;
        const room = Math.min(count, queue.roomForNew, left, spare);
        if (room <= 0) continue;
        rooms[queue.key] = room;
        left -= room;
        for (const name of [host, accountId]) planned.set(name, (planned.get(name) ?? 0) + room);
      }
    }
    return rooms;
  }

  /** The slot of a delivery that was claimed as it was created. */
  open(key: string): Slot {
    const queue = this.#queues.get(key);
    queue.begin();
    return { priority: PRIORITIES.first, queue, facts: null, isPaced: false };
  }

  /**
   * Records what the claim of a slot returned; returns the slot as it counts now, or null where its host or account has no room for it, or
   * its endpoint a rate by now that others began before.
   */
  admit(slot: Slot, delivery: ClaimedDelivery): Slot | null {
    const { queue, priority } = slot;
    const { host } = new URL(delivery.url);
    const facts = { accountId: delivery.account_id, host };
    this.#queues.learn(queue, facts);
    const isFirst = queue.pace.setRate(delivery.max_per_second);
    if (delivery.max_per_second !== null && !slot.isPaced && !isFirst) {
      queue.line(priority).wake();
      return null;
    }
    if (slot.facts?.host === host) return slot;
    if (this.#caps.full(facts, slot.facts) !== null) {
      queue.line(priority).wake();
      return null;
    }
    this.#caps.start(facts);
    this.#leave(slot.facts);
    this.#schedule(queue);
    return { ...slot, facts };
  }

  /** Ends a slot, after its window was given the result. */
  end({ queue, priority, facts }: Slot): void {
    queue.ended(priority);
    this.#leave(facts);
    this.#schedule(queue);
    if (this.#queues.size > MAX_QUEUES && queue.isIdle && !queue.isReady)
      this.#queues.forget(queue);
    if (!this.#queues.isRoundEmpty) this.#options.onReady();
  }

  #schedule(queue: EndpointQueue): void {
    if (!queue.canWork) return;
    this.#queues.addToRound(queue);
    this.#options.onReady();
  }

  #begin(queue: EndpointQueue, taken: Taken, nowMs: number): PickedSlot {
    const { facts } = queue;
    if (facts !== null) this.#caps.start(facts);
    queue.pace.take(nowMs);
    return { ...taken, queue, facts, isPaced: queue.pace.isLimited };
  }

  #leave(facts: QueueFacts | null): void {
    if (facts === null) return;
    for (const queue of this.#caps.end(facts)) this.#schedule(queue);
  }

  /** Whether its host, its account or its pace makes a queue wait; these bring it into the round again. */
  #mustWait(queue: EndpointQueue, nowMs: number): boolean {
    const full = queue.facts === null ? null : this.#caps.full(queue.facts);
    if (full !== null) {
      this.#caps.await(full, queue);
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
    setTimeout(
      () => {
        pace.isAwaited = false;
        this.#schedule(queue);
      },
      Math.max(0, waitMs ?? RESERVED_PAUSE_MS),
    ).unref();
  }

  async #fetch(toFetch: ReadonlyMap<EndpointQueue, readonly Priority[]>): Promise<void> {
    this.#fetching = true;
    const wanted = [...toFetch].flatMap(([queue, priorities]) =>
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
    if (!this.#queues.isRoundEmpty) this.#options.onReady();
  }
}
