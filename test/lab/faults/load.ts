/** How much the customers of a run do. */
export interface Load {
  readonly accounts: number;
  readonly workersPerAccount: number;
  /** Pause between two orders of a worker, so that the load lasts as long as the fault. */
  readonly paceMs: number;
  /** Comments of the desk on each order. */
  readonly comments: number;
  /** Whether active numbers also get calls and port-outs. */
  readonly traffic: boolean;
}

export const STEADY: Load = {
  accounts: 3,
  workersPerAccount: 3,
  paceMs: 200,
  comments: 0,
  traffic: true,
};

/** As many acknowledged changes as possible: most of them are comments, which cost one request each. */
export const DENSE: Load = { ...STEADY, workersPerAccount: 5, paceMs: 0, comments: 12 };

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32), so that a run can be repeated. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
