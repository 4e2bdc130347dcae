/** A position of the primary's write-ahead log, in bytes since its beginning, and when it had been reached, in ms. */
interface Mark {
  readonly position: number;
  readonly at: number;
}

/**
 * How far a replica lags, by positions of the primary's log and when the primary was seen at them: of no use are the
 * time of its last transaction, which is old on an idle primary, and what it has received, once the primary is gone.
 */
export class ReplicaLag {
  readonly #limitMs: number;
  /** What the replica has yet to reach, oldest first. */
  #ahead: Mark[] = [];
  /** The replica has everything that was committed before this time. */
  #upToDateAt = -Infinity;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  /** The primary had reached the position at this time or later. */
  primaryAt(position: number, at: number): void {
    // Reaching what is older than the limit would not make the replica usable.
    this.#ahead = this.#ahead.filter((mark) => at - mark.at < this.#limitMs);
    this.#ahead.push({ position, at });
  }

  replicaAt(position: number): void {
    const reached = this.#ahead.findLastIndex((mark) => mark.position <= position);
    const mark = this.#ahead[reached];
    if (mark === undefined) return;
    this.#upToDateAt = mark.at;
    this.#ahead = this.#ahead.slice(reached + 1);
  }

  /** Nothing is known of the replica any more. */
  forget(): void {
    this.#ahead = [];
    this.#upToDateAt = -Infinity;
  }

  /** At most so long ago was committed what the replica lacks; Infinity where that is unknown. */
  msAt(now: number): number {
    return now - this.#upToDateAt;
  }

  isWithinLimitAt(now: number): boolean {
    return this.msAt(now) < this.#limitMs;
  }
}
