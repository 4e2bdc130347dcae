import type { EndpointQueue } from "./endpoint-queue.ts";

/** A full host is used again when half of its cap is free: claims go in batches. */
const REFILL = 0.5;

interface Host {
  inFlight: number;
  isFull: boolean;
  readonly held: Set<EndpointQueue>;
}

/** Limits the attempts in flight to one host, across all accounts. */
export class HostCaps {
  readonly #cap: number;
  readonly #hosts = new Map<string, Host>();

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** Whether another attempt may start now; false between full and refill. */
  hasRoom(name: string): boolean {
    const host = this.#hosts.get(name);
    return host === undefined || (!host.isFull && host.inFlight < this.#cap);
  }

  start(name: string): void {
    let host = this.#hosts.get(name);
    if (host === undefined) {
      host = { inFlight: 0, isFull: false, held: new Set() };
      this.#hosts.set(name, host);
    }
    host.inFlight += 1;
    host.isFull ||= host.inFlight >= this.#cap;
  }

  /** Keeps a queue until its host has room. */
  hold(name: string, queue: EndpointQueue): void {
    this.#hosts.get(name)?.held.add(queue);
  }

  /** Ends a start; returns the queues that may continue. */
  end(name: string): readonly EndpointQueue[] {
    const host = this.#hosts.get(name);
    if (host === undefined) return [];
    host.inFlight -= 1;
    if (host.isFull && host.inFlight > this.#cap * REFILL) return [];
    host.isFull = false;
    const queues = [...host.held];
    host.held.clear();
    if (host.inFlight === 0) this.#hosts.delete(name);
    return queues;
  }
}
