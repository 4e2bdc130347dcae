/** More would only be words that never came back. */
const MAX_HANDED = 10_000;
const MAX_QUEUES = 10_000;

/**
 * The queues whose words come back to this very process, which may therefore take them at once. They are learnt from the
 * words themselves and hold until the partitions are shared out anew.
 */
export class OwnQueues {
  readonly #keys = new Set<string>();
  readonly #handed = new Set<string>();

  has(endpointKey: string): boolean {
    return this.#keys.has(endpointKey);
  }

  /** A word about this queue came to this process. */
  learn(endpointKey: string): void {
    if (this.#keys.size >= MAX_QUEUES) this.#keys.clear();
    this.#keys.add(endpointKey);
  }

  /** Its deliveries were taken without waiting for the word. */
  handOver(messageId: string): void {
    if (this.#handed.size >= MAX_HANDED) this.#handed.clear();
    this.#handed.add(messageId);
  }

  /** Whether the word says what was handed over already; true once. */
  isKnown(messageId: string): boolean {
    return this.#handed.delete(messageId);
  }

  forget(): void {
    this.#keys.clear();
    this.#handed.clear();
  }
}
