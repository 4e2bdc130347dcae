import { EndpointQueue, type QueueFacts } from "./endpoint-queue.ts";

/**
 * The endpoint queues of this process: by key and, once a claim has returned them, by account and host; and the round of those that
 * have work to do, over the accounts and over each account's queues.
 */
export class KnownQueues {
  readonly #byKey = new Map<string, EndpointQueue>();
  readonly #ofAccount = new Map<string, Set<EndpointQueue>>();
  /** How many queues each account has at a host. */
  readonly #accountsAt = new Map<string, Map<string, number>>();
  /** Of an account, or of a queue whose account is not known yet. */
  readonly #round = new Map<string, EndpointQueue[]>();

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
    const queues = this.#ofAccount.get(facts.accountId);
    if (queues === undefined) this.#ofAccount.set(facts.accountId, new Set([queue]));
    else queues.add(queue);
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

  get isRoundEmpty(): boolean {
    return this.#round.size === 0;
  }

  /** Puts a queue at the end of its account's line in the round, unless it is in it already. */
  addToRound(queue: EndpointQueue): void {
    if (queue.isReady) return;
    queue.isReady = true;
    const account = queue.facts?.accountId ?? queue.key;
    const queues = this.#round.get(account);
    if (queues === undefined) this.#round.set(account, [queue]);
    else queues.push(queue);
  }

  /** Removes the next queue of the next account from the round. */
  next(): EndpointQueue | null {
    for (const [account, queues] of this.#round) {
      const queue = queues.shift();
      this.#round.delete(account);
      if (queues.length > 0) this.#round.set(account, queues);
      if (queue === undefined) continue;
      queue.isReady = false;
      return queue;
    }
    return null;
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
