import type { FloorFigures } from "./floor.ts";
import type { Measured } from "./measured.ts";
import { SYSTEM_NAMES, type SystemName } from "./system.ts";

/** All measured figures of a run. */
export interface Results {
  readonly systems: ReadonlyMap<SystemName, Measured>;
  readonly floors: { readonly one: FloorFigures; readonly ten: FloorFigures } | null;
}

export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly of: (measured: Measured) => number | undefined;
  readonly floor?: (floors: NonNullable<Results["floors"]>) => number;
  /** Null for figures that are only reported. */
  readonly target: {
    readonly better: "more" | "less";
    readonly accept: number;
    readonly goal: number;
    /** The goal is also to be ahead of every peer that was measured. */
    readonly aheadOfPeers?: boolean;
  } | null;
}

const rate = { better: "more", aheadOfPeers: true } as const;

/** The rows of the table, in order. */
export const ROWS: readonly Row[] = [
  {
    name: "deliveries/s, 10 endpoints per event",
    unit: "/s",
    of: (measured) => measured["burst-10"]?.perSecond,
    floor: ({ ten }) => ten.perSecond,
    target: { ...rate, accept: 2_000, goal: 4_000 },
  },
  {
    name: "deliveries/s, 1 endpoint",
    unit: "/s",
    of: (measured) => measured["burst-1"]?.perSecond,
    floor: ({ one }) => one.perSecond,
    target: { ...rate, accept: 900, goal: 1_500 },
  },
  {
    name: "answer → receipt at 50 events/s, p50",
    unit: "ms",
    of: (measured) => measured.latency?.p50Ms,
    target: { better: "less", accept: 20, goal: 5 },
  },
  {
    name: "answer → receipt at 50 events/s, p99",
    unit: "ms",
    of: (measured) => measured.latency?.p99Ms,
    target: { better: "less", accept: 60, goal: 15 },
  },
  {
    name: "steady 200 events/s, 1 endpoint, p50",
    unit: "ms",
    of: (measured) => measured["steady-200"]?.p50Ms,
    target: null,
  },
  {
    name: "  p99",
    unit: "ms",
    of: (measured) => measured["steady-200"]?.p99Ms,
    target: null,
  },
  {
    name: "  CPU per delivery",
    unit: "ms",
    of: (measured) => measured["steady-200"]?.cpuMsPerDelivery,
    target: { better: "less", accept: 1.2, goal: 0.8 },
  },
  {
    name: "  transactions per event",
    unit: "",
    of: (measured) => measured["steady-200"]?.transactionsPerEvent,
    target: null,
  },
  {
    name: "steady 1,000 events/s, 1 endpoint, p50",
    unit: "ms",
    of: (measured) => measured["steady-1000"]?.p50Ms,
    target: null,
  },
  {
    name: "  p99",
    unit: "ms",
    of: (measured) => measured["steady-1000"]?.p99Ms,
    target: null,
  },
  {
    name: "  CPU per delivery",
    unit: "ms",
    of: (measured) => measured["steady-1000"]?.cpuMsPerDelivery,
    target: null,
  },
  {
    name: "  transactions per event",
    unit: "",
    of: (measured) => measured["steady-1000"]?.transactionsPerEvent,
    target: null,
  },
  {
    name: "steady 1,500 events/s, 1 endpoint, p50",
    unit: "ms",
    of: (measured) => measured["steady-1500"]?.p50Ms,
    target: null,
  },
  {
    name: "  p99",
    unit: "ms",
    of: (measured) => measured["steady-1500"]?.p99Ms,
    target: { better: "less", accept: 200, goal: 100 },
  },
  {
    name: "  CPU per delivery",
    unit: "ms",
    of: (measured) => measured["steady-1500"]?.cpuMsPerDelivery,
    target: { better: "less", accept: 0.8, goal: 0.5 },
  },
  {
    name: "  transactions per event",
    unit: "",
    of: (measured) => measured["steady-1500"]?.transactionsPerEvent,
    target: null,
  },
  {
    name: "10 healthy endpoints at 50 events/s, p99",
    unit: "ms",
    of: (measured) => measured.hanging?.baselineP99Ms,
    target: null,
  },
  {
    name: "nine healthy ones while the tenth hangs, p99",
    unit: "ms",
    of: (measured) => measured.hanging?.p99Ms,
    target: null,
  },
  {
    name: "  as a multiple of its own baseline",
    unit: "×",
    of: ({ hanging }) => hanging && hanging.p99Ms / hanging.baselineP99Ms,
    target: { better: "less", accept: 1.5, goal: 1.1 },
  },
  {
    name: "  sockets held by the hanging one",
    unit: "",
    of: (measured) => measured.hanging?.socketsHeld,
    target: { better: "less", accept: 100, goal: 8 },
  },
  {
    name: "CPU per delivery, 10 endpoints",
    unit: "ms",
    of: (measured) => measured["burst-10"]?.cpuMsPerDelivery,
    floor: ({ ten }) => ten.cpuMsPerDelivery,
    target: { better: "less", accept: 0.6, goal: 0.4 },
  },
  {
    name: "CPU per delivery, 1 endpoint",
    unit: "ms",
    of: (measured) => measured["burst-1"]?.cpuMsPerDelivery,
    floor: ({ one }) => one.cpuMsPerDelivery,
    target: { better: "less", accept: 1.6, goal: 1.1 },
  },
  {
    name: "memory after the bursts",
    unit: "MiB",
    of: (measured) => (measured["burst-10"] ?? measured["burst-1"])?.memoryMib,
    target: null,
  },
  {
    name: "idle CPU, all processes",
    unit: "% of a core",
    of: (measured) => measured.idle?.percentOfCore,
    target: { better: "less", accept: 15, goal: 8 },
  },
];

export const PEER_NAMES = SYSTEM_NAMES.filter((name) => name !== "ours");

/** Whether ours reaches its bounds; null where that cannot be judged, as for a goal relative to peers without any. */
export function verdictOf(
  { of, target }: Row,
  { systems }: Pick<Results, "systems">,
): { readonly accept: boolean; readonly goal: boolean | null } | null {
  const ours = of(systems.get("ours") ?? {});
  if (target === null || ours === undefined) return null;
  const reaches = (bound: number): boolean =>
    target.better === "more" ? ours >= bound : ours <= bound;
  const peers = PEER_NAMES.map((name) => of(systems.get(name) ?? {})).filter(
    (value) => value !== undefined,
  );
  const isAhead = target.aheadOfPeers !== true || peers.every((peer) => ours > peer);
  const goal = reaches(target.goal) && isAhead;
  const isUnknown = goal && target.aheadOfPeers === true && peers.length === 0;
  return { accept: reaches(target.accept), goal: isUnknown ? null : goal };
}
