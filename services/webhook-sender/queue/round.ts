import type { EndpointQueue } from "./endpoint-queue.ts";

/** The queues with work to do, round robin: over the accounts, and over each account's queues. */
export class Round {
  readonly #queuesOf = new Map<string, EndpointQueue[]>();

  get isEmpty(): boolean {
    return this.#queuesOf.size === 0;
  }

  /** Puts a queue at the end of its account's line, unless it is in it already. */
  add(queue: EndpointQueue): void {
    if (queue.isReady) return;
    queue.isReady = true;
    const account = queue.facts?.accountId ?? queue.key;
    const queues = this.#queuesOf.get(account);
    if (queues === undefined) this.#queuesOf.set(account, [queue]);
    else queues.push(queue);
  }

  /** Removes and returns the next queue of the next account. */
  next(): EndpointQueue | null {
    for (const [account, queues] of this.#queuesOf) {
      const queue = queues.shift();
      this.#queuesOf.delete(account);
      if (queues.length > 0) this.#queuesOf.set(account, queues);
      if (queue === undefined) continue;
      queue.isReady = false;
      return queue;
    }
    return null;
  }
}
