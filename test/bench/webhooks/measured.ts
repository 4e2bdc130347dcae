/** The median of several bursts. */
export interface BurstFigures {
  /** Deliveries a second, from the first event's commit to the last delivery recorded. */
  readonly perSecond: number;
  /** CPU of every counted process. */
  readonly cpuMsPerDelivery: number;
  readonly cpuMsByProcess: ReadonlyMap<string, number>;
  /** What Postgres stores for an event and its delivery, in tables and indexes. */
  readonly bytesPerDelivery: number;
  readonly memoryMibByProcess: ReadonlyMap<string, number>;
}

export interface LatencyFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** A steady rate, one commit per event. */
export interface SteadyFigures {
  /** From the confirmed commit to receipt, over the whole stretch. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Less than all where the rate is more than this machine can carry. */
  readonly arrivedPercent: number;
  /** Of those that arrived, as the next two. */
  readonly cpuMsPerDelivery: number;
  readonly transactionsPerEvent: number;
  readonly cpuMsByProcess: ReadonlyMap<string, number>;
}

export interface HangingFigures {
  readonly p99Ms: number;
  /** The same with ten healthy endpoints, just before. */
  readonly baselineP99Ms: number;
  readonly socketsHeld: number;
}

/** The measured figures of a system. */
export interface Measured {
  readonly "burst-1"?: BurstFigures;
  readonly "burst-10"?: BurstFigures;
  readonly latency?: LatencyFigures;
  readonly "steady-200"?: SteadyFigures;
  readonly "steady-1000"?: SteadyFigures;
  readonly "steady-1500"?: SteadyFigures;
  readonly hanging?: HangingFigures;
}
