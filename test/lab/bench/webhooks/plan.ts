/** Endpoints are never removed, so the parts with one come first. */
const PART_NAMES = [
  "burst-1",
  "latency",
  "steady-50",
  "steady-200",
  "steady-half",
  "burst-10",
  "hanging",
  "soak",
] as const;

export type PartName = (typeof PART_NAMES)[number];

/** Endpoints of the receiver: those of the bursts, and ten of which one hangs. */
export const ENDPOINTS = 10;
export const EVENTS_PER_SECOND = 50;

/** The amount of work. */
export interface Plan {
  readonly eventsToOne: number;
  readonly eventsToTen: number;
  /** Bursts of each kind; the median is reported. */
  readonly rounds: number;
  readonly warmSeconds: number;
  readonly pacedSeconds: number;
  readonly steadySeconds: number;
  /** The rate of `steady-half`. */
  readonly halfPerSecond: number;
  readonly soakMinutes: number;
}

/** What may be chosen of the loads. */
export type Chosen = Partial<Pick<Plan, "steadySeconds" | "halfPerSecond" | "soakMinutes">>;

export function planOf(chosen: Chosen): Plan {
  return {
    eventsToOne: 5_000,
    eventsToTen: 2_000,
    rounds: 3,
    warmSeconds: 4,
    pacedSeconds: 12,
    steadySeconds: 0,
    halfPerSecond: 0,
    soakMinutes: 0,
    ...chosen,
  };
}
