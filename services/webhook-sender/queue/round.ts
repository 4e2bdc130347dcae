import type { EndpointQueue } from "./endpoint-queue.ts";

/** The queues that have something to do, in turns: accounts one after the other, and each account's queues likewise. */
export class Round {
  readonly #queuesOf = new Map<string, EndpointQueue[]>();

  get isEmpty(): boolean {
    return this.#queuesOf.size === 0;
  }

  /** Puts a queue at the end of its account's line; of one that is in it already nothing changes. */
  add(queue: EndpointQueue): void {
    if (queue.isReady) return;
    queue.isReady = true;
    const account = queue.facts?.accountId ?? queue.key;
    const queues = this.#queuesOf.get(account);
    if (queues === undefined) this.#queuesOf.set(account, [queue]);
    else queues.push(queue);
  }

  /** The next queue of the next account, which thereby leaves the round. */
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
