import type { Lane } from "./endpoint-queue.ts";

/** The lanes that have something to do, in turns: accounts one after the other, and each account's lanes likewise. */
export class Round {
  readonly #lanesOf = new Map<string, Lane[]>();

  get isEmpty(): boolean {
    return this.#lanesOf.size === 0;
  }

  /** Puts a lane at the end of its account's line; of one that is in it already nothing changes. */
  add(lane: Lane): void {
    if (lane.isReady) return;
    lane.isReady = true;
    const account = lane.facts?.accountId ?? lane.key;
    const lanes = this.#lanesOf.get(account);
    if (lanes === undefined) this.#lanesOf.set(account, [lane]);
    else lanes.push(lane);
  }

  /** The next lane of the next account, which thereby leaves the round. */
  next(): Lane | null {
    for (const [account, lanes] of this.#lanesOf) {
      const lane = lanes.shift();
      this.#lanesOf.delete(account);
      if (lanes.length > 0) this.#lanesOf.set(account, lanes);
      if (lane === undefined) continue;
      lane.isReady = false;
      return lane;
    }
    return null;
  }
}
