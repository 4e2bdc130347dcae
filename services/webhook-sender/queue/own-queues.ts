/** More could only be messages that never came back. */
const MAX_HANDED = 10_000;
const MAX_QUEUES = 10_000;

/**
 * The queues whose messages this process consumes itself, so that it may take their deliveries at once.
 * They are learned from arriving messages and forgotten on a rebalance.
 */
export class OwnQueues {
  readonly #keys = new Set<string>();
  readonly #handed = new Set<string>();

  has(endpointKey: string): boolean {
    return this.#keys.has(endpointKey);
  }

  /** Notes that a message of this queue arrived here. */
  learn(endpointKey: string): void {
    if (this.#keys.size >= MAX_QUEUES) this.#keys.clear();
    this.#keys.add(endpointKey);
  }

  /** Notes a message whose deliveries were taken without waiting for it. */
  handOver(messageId: string): void {
    if (this.#handed.size >= MAX_HANDED) this.#handed.clear();
    this.#handed.add(messageId);
  }

  /** Whether the message's deliveries were taken already; true only once per message. */
  isKnown(messageId: string): boolean {
    return this.#handed.delete(messageId);
  }

  forget(): void {
    this.#keys.clear();
    this.#handed.clear();
  }
}
