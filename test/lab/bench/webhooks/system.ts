import type { Endpoints } from "./receiver.ts";
import type { Bloat } from "./usage.ts";

/** Redis flushes to disk once a second, or with every write; Postgres with every commit. */
export const SYSTEM_NAMES = [
  "ours",
  "graphile-worker",
  "pg-boss",
  "bullmq",
  "bullmq, flushed",
] as const;

export type SystemName = (typeof SYSTEM_NAMES)[number];

export const PEER_NAMES = SYSTEM_NAMES.filter((name) => name !== "ours");

/** A number of events and their rate a second. */
export interface Pace {
  readonly count: number;
  readonly perSecond: number;
}

/** Something that delivers events to the receiver's endpoints and records its attempts in Postgres. */
export interface WebhookSystem {
  readonly name: SystemName;
  /** Every process that takes part in a delivery, by pid, without the receiver and the producer of events. */
  readonly processes: ReadonlyMap<number, string>;
  /** The processes that produce the events. */
  readonly publisherPid: number;
  /** From now on every event goes to the first `count` endpoints. */
  useEndpoints(count: number): Promise<void>;
  /** Prepares events and returns the function that commits them as fast as possible, each by itself. */
  prepareBurst(count: number): Promise<() => Promise<void>>;
  /** Events as users cause them; returns when each that was not refused was confirmed, on the monotonic clock, by event id. */
  pace(pace: Pace): Promise<ReadonlyMap<string, number>>;
  /** The same without the work that leads to an event: its commit alone; without those that the database refused. */
  paceCommits(pace: Pace): Promise<ReadonlyMap<string, number>>;
  /** The transactions that Postgres has ended so far. */
  transactions(): Promise<number>;
  /** Bytes of everything that Postgres stores for it, without what is free to be used again. */
  storedBytes(): Promise<number>;
  /** The size of its database with dead rows, and how many there are. */
  bloat(): Promise<Bloat>;
  /** The number of deliveries recorded as succeeded. */
  recorded(): Promise<number>;
  /** The secret of an endpoint in use. */
  secretOf(endpoint: number): string;
  stop(): Promise<void>;
}

export interface SystemContext {
  /** An empty folder that every user may enter, removed after the run. */
  readonly folder: string;
  readonly endpoints: Endpoints;
  readonly log: (line: string) => void;
}

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
