import type { ClaimedDelivery } from "../store/claim-deliveries.ts";
import type { DueDeliveries } from "../store/due-deliveries.ts";
import { Caps, HostCaps } from "./caps.ts";
import type { EndpointQueue, QueueFacts, Taken } from "./endpoint-queue.ts";
import { KnownQueues } from "./known-queues.ts";
import type { Reservation } from "./pace.ts";
import { PRIORITIES, type DueLine, type Priority } from "./priority.ts";
import { Round } from "./round.ts";

const FETCH_QUEUES = 50;
const FETCH_LIMIT = 100;
/** The wait before asking again when other processes have reserved an endpoint's next starts. */
const RESERVED_PAUSE_MS = 250;
/** Idle queues beyond this number are forgotten, along with their windows. */
const MAX_QUEUES = 10_000;

export interface SlotsOptions {
  /** How many attempts may go to one host. */
  readonly perHost: number;
  /** How many of these may be one account's where others have endpoints at the host too. */
  readonly perAccountOfHost: number;
  /** How many attempts one account may have in flight. */
  readonly perAccount: number;
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
  readonly #round = new Round();
  readonly #hosts: HostCaps;
  readonly #accounts: Caps;
  #fetching = false;

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.#hosts = new HostCaps({
      perHost: options.perHost,
      perAccount: options.perAccountOfHost,
      isShared: (host) => this.#queues.isShared(host),
    });
    this.#accounts = new Caps(options.perAccount);
  }

  offer({ endpoint_key: key, priority }: DueLine, ids: readonly string[]): void {
    const queue = this.#queues.get(key);
    queue.line(priority).offer(ids);
    this.#schedule(queue);
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
      const queue = this.#round.next();
      if (queue === null) break;
      const wanted = queue.linesToFetch;
      if (wanted.length > 0 && !this.#fetching && toFetch.size < FETCH_QUEUES) {
        toFetch.set(queue, wanted);
      }
      if (queue.room === 0 || this.#isHeld(queue, nowMs)) continue;
      const taken = queue.take(lowest);
      if (taken !== null) {
        slots.push(this.#begin(queue, taken, nowMs));
        this.#round.add(queue);
      } else if (queue.canWork && !toFetch.has(queue)) waiting.push(queue);
    }
    for (const queue of waiting) this.#round.add(queue);
    if (toFetch.size > 0) void this.#fetch(toFetch);
    return slots;
  }

  /**
   * How many deliveries of each known endpoint of the accounts, by their number of events, may be claimed as they are
   * created, `most` in all: where nothing else waits for the slots. It takes none, so that `admit` decides.
   */
  rooms(events: ReadonlyMap<string, number>, most: number): Record<string, number> {
    const rooms: Record<string, number> = {};
    const atHosts = new Map<string, number>();
    let left = most;
    for (const [accountId, count] of events) {
      let ofAccount = this.#accounts.spare(accountId);
      for (const queue of this.#queues.ofAccount(accountId)) {
        const { facts } = queue;
        if (facts === null) continue;
        const atHost = atHosts.get(facts.host) ?? 0;
        const spare = this.#hosts.spare(facts) - atHost;
        const room = Math.min(count, queue.roomForNew, left, ofAccount, spare);
        if (room <= 0) continue;
        rooms[queue.key] = room;
        left -= room;
        ofAccount -= room;
        atHosts.set(facts.host, atHost + room);
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
   * Notes what the claim of a slot told; the slot as it counts now, or null where its host or account has no room for it, or
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
    // A URL that changed keeps its account's place.
    const isFull =
      slot.facts === null ? this.#fullFor(facts) !== null : !this.#hosts.hasRoom(facts);
    if (isFull) {
      queue.line(priority).wake();
      return null;
    }
    this.#enter(facts);
    this.#leave(slot.facts);
    this.#schedule(queue);
    return { ...slot, facts };
  }

  /** Ends a slot, after its window was told how. */
  end({ queue, priority, facts }: Slot): void {
    queue.ended(priority);
    this.#leave(facts);
    this.#schedule(queue);
    if (this.#queues.size > MAX_QUEUES && queue.isIdle && !queue.isReady)
      this.#queues.forget(queue);
    if (!this.#round.isEmpty) this.#options.onReady();
  }

  #schedule(queue: EndpointQueue): void {
    if (!queue.canWork) return;
    this.#round.add(queue);
    this.#options.onReady();
  }

  #begin(queue: EndpointQueue, taken: Taken, nowMs: number): PickedSlot {
    const { facts } = queue;
    this.#enter(facts);
    queue.pace.take(nowMs);
    return { ...taken, queue, facts, isPaced: queue.pace.isLimited };
  }

  #enter(facts: QueueFacts | null): void {
    if (facts === null) return;
    this.#hosts.start(facts);
    this.#accounts.start(facts.accountId);
  }

  #leave(facts: QueueFacts | null): void {
    if (facts === null) return;
    const released = [...this.#hosts.end(facts), ...this.#accounts.end(facts.accountId)];
    for (const queue of released) this.#schedule(queue);
  }

  /** What keeps a queue until there is room: its host, or its account; null where there is room. */
  #fullFor(facts: QueueFacts): ((queue: EndpointQueue) => void) | null {
    const { accountId } = facts;
    if (!this.#hosts.hasRoom(facts)) return (queue) => this.#hosts.hold(facts, queue);
    if (this.#accounts.hasRoom(accountId)) return null;
    return (queue) => this.#accounts.hold(accountId, queue);
  }

  /** Whether its host, its account or its pace holds a queue back; these bring it into the round again. */
  #isHeld(queue: EndpointQueue, nowMs: number): boolean {
    const hold = queue.facts === null ? null : this.#fullFor(queue.facts);
    if (hold !== null) {
      hold(queue);
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
    if (!this.#round.isEmpty) this.#options.onReady();
  }
}
