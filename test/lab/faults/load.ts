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
