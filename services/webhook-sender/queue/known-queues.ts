import { EndpointQueue, type QueueFacts } from "./endpoint-queue.ts";

/** The endpoint queues of this process: by key and, once a claim has told it, by account. */
export class KnownQueues {
  readonly #byKey = new Map<string, EndpointQueue>();
  readonly #ofAccount = new Map<string, Set<EndpointQueue>>();

  get size(): number {
    return this.#byKey.size;
  }

  /** The queue with the key, which exists from now on. */
  get(key: string): EndpointQueue {
    let queue = this.#byKey.get(key);
    if (queue === undefined) {
      queue = new EndpointQueue(key);
      this.#byKey.set(key, queue);
    }
    return queue;
  }

  /** Those of an account that have been claimed from. */
  ofAccount(accountId: string): Iterable<EndpointQueue> {
    return this.#ofAccount.get(accountId) ?? [];
  }

  learn(queue: EndpointQueue, facts: QueueFacts): void {
    if (queue.facts === null) {
      const queues = this.#ofAccount.get(facts.accountId);
      if (queues === undefined) this.#ofAccount.set(facts.accountId, new Set([queue]));
      else queues.add(queue);
    }
    queue.facts = facts;
  }

  forget(queue: EndpointQueue): void {
    this.#byKey.delete(queue.key);
    const accountId = queue.facts?.accountId ?? "";
    const queues = this.#ofAccount.get(accountId);
    queues?.delete(queue);
    if (queues?.size === 0) this.#ofAccount.delete(accountId);
  }
}
