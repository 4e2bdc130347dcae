import { EndpointQueue, type QueueFacts } from "./endpoint-queue.ts";

/** The endpoint queues of this process: by key and, once a claim has told it, by account and host. */
export class KnownQueues {
  readonly #byKey = new Map<string, EndpointQueue>();
  readonly #ofAccount = new Map<string, Set<EndpointQueue>>();
  /** How many queues each account has at a host. */
  readonly #accountsAt = new Map<string, Map<string, number>>();

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

  /** Whether queues of several accounts go to the host. */
  isShared(host: string): boolean {
    return (this.#accountsAt.get(host)?.size ?? 0) > 1;
  }

  learn(queue: EndpointQueue, facts: QueueFacts): void {
    if (queue.facts?.host !== facts.host) {
      this.#count(facts, 1);
      this.#count(queue.facts, -1);
    }
    if (queue.facts === null) {
      const queues = this.#ofAccount.get(facts.accountId);
      if (queues === undefined) this.#ofAccount.set(facts.accountId, new Set([queue]));
      else queues.add(queue);
    }
    queue.facts = facts;
  }

  forget(queue: EndpointQueue): void {
    this.#byKey.delete(queue.key);
    this.#count(queue.facts, -1);
    const accountId = queue.facts?.accountId ?? "";
    const queues = this.#ofAccount.get(accountId);
    queues?.delete(queue);
    if (queues?.size === 0) this.#ofAccount.delete(accountId);
  }

  #count(facts: QueueFacts | null, change: 1 | -1): void {
    if (facts === null) return;
    const { host, accountId } = facts;
    const accounts = this.#accountsAt.get(host) ?? new Map<string, number>();
    const count = (accounts.get(accountId) ?? 0) + change;
    if (count > 0) accounts.set(accountId, count);
    else accounts.delete(accountId);
    if (accounts.size > 0) this.#accountsAt.set(host, accounts);
    else this.#accountsAt.delete(host);
  }
}
