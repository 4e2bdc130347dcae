import type { EndpointQueue } from "./endpoint-queue.ts";

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
