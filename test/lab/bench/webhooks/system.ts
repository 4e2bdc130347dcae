import type { Endpoints } from "./receiver.ts";
import type { Bloat } from "./stored-bytes.ts";

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
