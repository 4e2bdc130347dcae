import type { EndpointQueue, QueueFacts } from "./endpoint-queue.ts";

/** What was full is used again when half of its cap is free, unless told otherwise: claims go in batches. */
const REFILL = 0.5;

interface Counted {
  inFlight: number;
  isFull: boolean;
  readonly held: Set<EndpointQueue>;
}

/** How many attempts each host, or each account, or each account at a host, may have in flight. */
export class Caps {
  readonly #cap: number;
  readonly #counted = new Map<string, Counted>();

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** How many more may start now; 0 between full and refill. */
  hasRoom(name: string): boolean {
    const one = this.#counted.get(name);
    return one === undefined || (!one.isFull && one.inFlight < this.#cap);
  }

  /** How many more may start without filling the cap; 0 while a queue waits for room in it. */
  spare(name: string): number {
    const one = this.#counted.get(name);
    if (one === undefined) return this.#cap - 1;
    return one.isFull || one.held.size > 0 ? 0 : this.#cap - 1 - one.inFlight;
  }

  start(name: string): void {
    let one = this.#counted.get(name);
    if (one === undefined) {
      one = { inFlight: 0, isFull: false, held: new Set() };
      this.#counted.set(name, one);
    }
    one.inFlight += 1;
    one.isFull ||= one.inFlight >= this.#cap;
  }

  /** Keeps a queue until there is room for it. */
  hold(name: string, queue: EndpointQueue): void {
    this.#counted.get(name)?.held.add(queue);
  }

  /** Ends a start; the queues that may go on now. What was full is so until no more than `refillAt` are in flight. */
  end(name: string, refillAt = this.#cap * REFILL): readonly EndpointQueue[] {
    const one = this.#counted.get(name);
    if (one === undefined) return [];
    one.inFlight -= 1;
    if (one.isFull && one.inFlight > refillAt) return [];
    one.isFull = false;
    const queues = [...one.held];
    one.held.clear();
    if (one.inFlight === 0) this.#counted.delete(name);
    return queues;
  }
}

export interface HostCapsOptions {
  /** How many attempts may go to one host. */
  readonly perHost: number;
  /** How many of these one account may make where others have endpoints too. */
  readonly perAccount: number;
  readonly isShared: (host: string) => boolean;
}

/**
 * How many attempts each host may have in flight, and each account at a host. An account alone at a host may fill it. Once
 * another is known there, also while that one has nothing to send, it may not: attempts that hang end too late to make room.
 */
export class HostCaps {
  readonly #hosts: Caps;
  readonly #shares: Caps;
  readonly #isShared: (host: string) => boolean;
  readonly #sharedRefillAt: number;

  constructor({ perHost, perAccount, isShared }: HostCapsOptions) {
    this.#hosts = new Caps(perHost);
    this.#shares = new Caps(perAccount);
    this.#isShared = isShared;
    // Half of what an account alone leaves free: what hangs may keep a host from ever being half free.
    this.#sharedRefillAt = (perHost + perAccount) / 2;
  }

  hasRoom(facts: QueueFacts): boolean {
    return this.#hosts.hasRoom(facts.host) && this.#hasShare(facts);
  }

  /** How many more may start without filling a cap; 0 while a queue waits for room in it. */
  spare(facts: QueueFacts): number {
    const spare = this.#hosts.spare(facts.host);
    if (!this.#isShared(facts.host)) return spare;
    return Math.min(spare, this.#shares.spare(shareOf(facts)));
  }

  start(facts: QueueFacts): void {
    this.#hosts.start(facts.host);
    this.#shares.start(shareOf(facts));
  }

  /** Keeps a queue until there is room for it. */
  hold(facts: QueueFacts, queue: EndpointQueue): void {
    if (this.#hasShare(facts)) this.#hosts.hold(facts.host, queue);
    else this.#shares.hold(shareOf(facts), queue);
  }

  /** Ends a start; the queues that may go on now. */
  end(facts: QueueFacts): readonly EndpointQueue[] {
    const { host } = facts;
    const refillAt = this.#isShared(host) ? this.#sharedRefillAt : undefined;
    return [...this.#hosts.end(host, refillAt), ...this.#shares.end(shareOf(facts))];
  }

  #hasShare(facts: QueueFacts): boolean {
    return !this.#isShared(facts.host) || this.#shares.hasRoom(shareOf(facts));
  }
}

function shareOf({ host, accountId }: QueueFacts): string {
  return `${host} ${accountId}`;
}
