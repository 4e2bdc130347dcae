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
  /** The rate at which commits were confirmed, which is less than the wanted one where the producer could not keep it. */
  readonly perSecond: number;
  /** From the confirmed commit to receipt, over the whole stretch. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Less than all where the rate is more than this machine can carry. */
  readonly arrivedPercent: number;
  /** Of those that arrived, as the next three. */
  readonly cpuMsPerDelivery: number;
  readonly transactionsPerEvent: number;
  readonly bytesPerDelivery: number;
  readonly cpuMsByProcess: ReadonlyMap<string, number>;
}

export interface HangingFigures {
  readonly p99Ms: number;
  /** The same with ten healthy endpoints, just before. */
  readonly baselineP99Ms: number;
  readonly socketsHeld: number;
}

/** Orders at half of what the system can carry, in one of several stretches of the same length. */
export interface SoakStretch {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Deliveries that did not arrive. */
  readonly missing: number;
  /** By which the database has grown, with dead rows and room in its indexes. */
  readonly bytesPerOrder: number;
  readonly deadRowsPercent: number;
  /** At the end of the stretch, as the descriptors. */
  readonly memoryMibByProcess: ReadonlyMap<string, number>;
  readonly descriptors: number;
}

export interface SoakFigures {
  readonly perSecond: number;
  readonly stretches: readonly SoakStretch[];
}

/** The measured figures of a system. */
export interface Measured {
  readonly "burst-1"?: BurstFigures;
  readonly "burst-10"?: BurstFigures;
  readonly latency?: LatencyFigures;
  readonly "steady-50"?: SteadyFigures;
  readonly "steady-200"?: SteadyFigures;
  readonly "steady-half"?: SteadyFigures;
  readonly hanging?: HangingFigures;
  readonly soak?: SoakFigures;
}
