/** Endpoints are never removed, so the parts with one come first. */
export const PART_NAMES = [
  "idle",
  "burst-1",
  "latency",
  "steady-200",
  "steady-1000",
  "steady-1500",
  "burst-10",
  "hanging",
] as const;

export type PartName = (typeof PART_NAMES)[number];

/** Endpoints of the receiver: those of the bursts, and ten of which one hangs. */
export const ENDPOINTS = 10;
export const EVENTS_PER_SECOND = 50;

/** The amount of work; all of it at scale 1. */
export interface Plan {
  readonly eventsToOne: number;
  readonly eventsToTen: number;
  /** Bursts of each kind; the median is reported. */
  readonly rounds: number;
  readonly warmSeconds: number;
  readonly pacedSeconds: number;
  readonly steadySeconds: number;
  readonly settleSeconds: number;
  readonly idleSeconds: number;
}

const WHOLE: Plan = {
  eventsToOne: 5_000,
  eventsToTen: 2_000,
  rounds: 3,
  warmSeconds: 10,
  pacedSeconds: 30,
  steadySeconds: 180,
  settleSeconds: 10,
  idleSeconds: 20,
};

export function planOf(scale: number): Plan {
  const of = (whole: number, least: number): number => Math.max(least, Math.round(whole * scale));
  return {
    eventsToOne: of(WHOLE.eventsToOne, 100),
    eventsToTen: of(WHOLE.eventsToTen, 50),
    rounds: of(WHOLE.rounds, 1),
    warmSeconds: of(WHOLE.warmSeconds, 1),
    pacedSeconds: of(WHOLE.pacedSeconds, 3),
    steadySeconds: of(WHOLE.steadySeconds, 3),
    settleSeconds: of(WHOLE.settleSeconds, 2),
    idleSeconds: of(WHOLE.idleSeconds, 3),
  };
}
