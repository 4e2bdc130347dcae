import type { Endpoints } from "./receiver.ts";

export const SYSTEM_NAMES = ["ours", "graphile-worker", "pg-boss", "bullmq"] as const;

export type SystemName = (typeof SYSTEM_NAMES)[number];

/** A number of events, and how many of them a second. */
export interface Pace {
  readonly count: number;
  readonly perSecond: number;
}

/** Something that delivers events to the receiver's endpoints and records its attempts in Postgres. */
export interface WebhookSystem {
  readonly name: SystemName;
  /** Every process that has a share in a delivery, by its pid; neither the receiver nor who makes events. */
  readonly processes: ReadonlyMap<number, string>;
  /** Who makes the events. */
  readonly publisherPid: number;
  /** From now on every event goes to the first so many endpoints. */
  useEndpoints(count: number): Promise<void>;
  /** Makes events ready and returns what commits them, as fast as it goes. */
  prepareBurst(count: number): Promise<() => Promise<void>>;
  /** Events one by one; when each one's commit was answered, on the monotonic clock, by event id. */
  pace(pace: Pace): Promise<ReadonlyMap<string, number>>;
  /** How many deliveries are recorded as succeeded. */
  recorded(): Promise<number>;
  /** The secret of an endpoint in use. */
  secretOf(endpoint: number): string;
  stop(): Promise<void>;
}

export interface SystemContext {
  /** An empty folder, everybody may enter it, gone after the run. */
  readonly folder: string;
  readonly endpoints: Endpoints;
  readonly log: (line: string) => void;
}
