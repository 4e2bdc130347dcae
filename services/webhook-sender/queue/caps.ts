import type { EndpointQueue, QueueFacts } from "./endpoint-queue.ts";

interface Counted {
  inFlight: number;
  /** Queues that go on once one of these has ended. */
  readonly waiting: Set<EndpointQueue>;
}

export interface CapsOptions {
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
export class Caps {
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

  /** Keeps a queue until there may be room under the name. */
  hold(name: string, queue: EndpointQueue): void {
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
