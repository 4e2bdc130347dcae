import { REPORTED, type Compared, type Figure, type Target } from "../figure.ts";
import type { FloorFigures } from "./floor.ts";
import type { BurstFigures, Measured } from "./measured.ts";
import type { Results } from "./measure-systems.ts";
import { PEER_NAMES, type SystemName } from "./system.ts";
import { totalOf } from "./usage.ts";

type Read = (measured: Measured) => number | undefined;

/** Loses nothing that it confirmed, also in a power cut. */
const DURABLE: ReadonlySet<SystemName> = new Set<SystemName>([
  "graphile-worker",
  "pg-boss",
  "bullmq, flushed",
]);

interface Row {
  readonly name: string;
  readonly unit: string;
  readonly of: Read;
  readonly target: Target;
  readonly floor?: Compared;
}

const numberOf = (results: Results, name: SystemName, of: Read): number | undefined => {
  const measured = results.get(name);
  return measured === undefined ? undefined : of(measured);
};

/** Ours, and below it each peer of the same run. */
function compared(results: Results, row: Row, best: Compared | undefined): Figure[] {
  const { name, unit, of, target, floor } = row;
  const ours = numberOf(results, "ours", of);
  if (ours === undefined) throw new TypeError(`${name} was not measured`);
  const peers = PEER_NAMES.flatMap((peer): Figure[] => {
    const measured = numberOf(results, peer, of);
    return measured === undefined ? [] : [{ name: `  ${peer}`, measured, unit, target: REPORTED }];
  });
  const extras = {
    ...(floor === undefined ? {} : { floor }),
    ...(best === undefined ? {} : { peer: best }),
  };
  return [{ name, measured: ours, unit, target, ...extras }, ...peers];
}

/** The fastest peer of those that were measured. */
function bestPeer(results: Results, of: Read, among: readonly SystemName[]): Compared | undefined {
  const found = among.flatMap((what): Compared[] => {
    const measured = numberOf(results, what, of);
    return measured === undefined ? [] : [{ what, measured }];
  });
  return found.toSorted((a, b) => b.measured - a.measured)[0];
}

interface Floors {
  readonly one: FloorFigures;
  readonly ten: FloorFigures;
}

type Burst = "burst-1" | "burst-10";

const BURSTS = {
  "burst-1": {
    name: "1 endpoint",
    peers: PEER_NAMES.filter((name) => DURABLE.has(name)),
    rate: { kind: "at_least_of_peer", accept: 2, goal: 3 },
    cpu: { kind: "at_most", accept: 1.6, goal: 1.1 },
  },
  "burst-10": {
    name: "10 endpoints",
    peers: PEER_NAMES,
    rate: { kind: "at_least_of_peer", accept: 1.1, goal: 1.5 },
    cpu: { kind: "at_most", accept: 0.6, goal: 0.4 },
  },
} as const satisfies Record<
  Burst,
  { name: string; peers: readonly SystemName[]; rate: Target; cpu: Target }
>;

function burstOf(results: Results, burst: Burst, floor: FloorFigures): Figure[] {
  const { name, peers, rate, cpu } = BURSTS[burst];
  const what = "undici alone";
  const perSecond: Read = (measured) => measured[burst]?.perSecond;
  const rates: Row = {
    name: `deliveries/s in a burst, ${name}`,
    unit: "/s",
    of: perSecond,
    target: rate,
    floor: { what, measured: floor.perSecond },
  };
  const costs: Row = {
    name: `CPU per delivery in a burst, ${name}`,
    unit: "ms",
    of: (measured) => measured[burst]?.cpuMsPerDelivery,
    target: cpu,
    floor: { what, measured: floor.cpuMsPerDelivery },
  };
  return [
    ...compared(results, rates, bestPeer(results, perSecond, peers)),
    ...compared(results, costs, undefined),
    ...sharesOf(results.get("ours")?.[burst]?.cpuMsByProcess, {
      name: `CPU by process in a burst, ${name}`,
      unit: "ms",
    }),
  ];
}

/** Each process's share, largest first, below their sum. */
function sharesOf(
  shares: ReadonlyMap<string, number> = new Map(),
  { name, unit }: Pick<Figure, "name" | "unit">,
): Figure[] {
  const sorted = [...shares].toSorted(([, a], [, b]) => b - a);
  return [
    [name, totalOf(shares)] as const,
    ...sorted.map(([process, share]) => [`  ${process}`, share] as const),
  ].map(([label, measured]) => ({ name: label, measured, unit, target: REPORTED }));
}

export function burstFigures(results: Results, floors: Floors): Figure[] {
  const stored: Read = (measured) => measured["burst-1"]?.bytesPerDelivery;
  const memoryOf = (
    measured: Measured | undefined,
  ): BurstFigures["memoryMibByProcess"] | undefined => measured?.["burst-10"]?.memoryMibByProcess;
  const memory: Read = (measured) => {
    const byProcess = memoryOf(measured);
    return byProcess === undefined ? undefined : totalOf(byProcess);
  };
  const bytes: Target = { kind: "at_most", accept: 2_200, goal: 1_500 };
  const mib: Target = { kind: "at_most", accept: 1_200, goal: 900 };
  const storage = { name: "stored per event and endpoint", unit: "bytes", of: stored };
  const resident = { name: "memory after the bursts", unit: "MiB", of: memory };
  return [
    ...burstOf(results, "burst-1", floors.one),
    ...burstOf(results, "burst-10", floors.ten),
    ...compared(results, { ...storage, target: bytes }, undefined),
    ...compared(results, { ...resident, target: mib }, undefined),
    ...sharesOf(memoryOf(results.get("ours")), {
      name: "memory by process after the bursts",
      unit: "MiB",
    }),
  ];
}

export function latencyFigures(results: Results): Figure[] {
  const row = (quantile: "p50" | "p99", accept: number, goal: number): Row => ({
    name: `answer → receipt at 50 events/s, ${quantile}`,
    unit: "ms",
    of: ({ latency }) => (quantile === "p50" ? latency?.p50Ms : latency?.p99Ms),
    target: { kind: "at_most", accept, goal },
  });
  return [row("p50", 5, 3), row("p99", 15, 10)].flatMap((one) => compared(results, one, undefined));
}

const EVERY: Target = { kind: "at_least", accept: 100 };

const STEADY = [
  { part: "steady-200", rate: "200", cpu: { kind: "at_most", accept: 1.2, goal: 0.8 } },
  { part: "steady-1000", rate: "1,000", cpu: REPORTED },
  { part: "steady-1500", rate: "1,500", cpu: { kind: "at_most", accept: 0.8, goal: 0.5 } },
] as const;

export function steadyFigures(results: Results): Figure[] {
  const ours = results.get("ours");
  return STEADY.flatMap(({ part, rate, cpu }): Figure[] => {
    const found = ours?.[part];
    if (found === undefined) return [];
    const late: Target =
      part === "steady-1500" ? { kind: "at_most", accept: 200, goal: 100 } : REPORTED;
    const name = `steady ${rate} events/s, 1 endpoint`;
    const { transactionsPerEvent: transactions, bytesPerDelivery: bytes } = found;
    const ms = "ms";
    return [
      { name: `${name}, p99`, measured: found.p99Ms, unit: ms, target: late },
      { name: "  p50", measured: found.p50Ms, unit: ms, target: REPORTED },
      {
        name: "  arrived within a minute",
        measured: found.arrivedPercent,
        unit: "%",
        target: EVERY,
      },
      { name: "  transactions per event", measured: transactions, unit: "", target: REPORTED },
      { name: "  stored per event", measured: bytes, unit: "bytes", target: REPORTED },
      {
        name: `${name}, CPU per delivery`,
        measured: found.cpuMsPerDelivery,
        unit: ms,
        target: cpu,
      },
      ...sharesOf(found.cpuMsByProcess, { name: `${name}, CPU by process`, unit: ms }).slice(1),
    ];
  });
}

export function hangingFigures(results: Results): Figure[] {
  const found = results.get("ours")?.hanging;
  if (found === undefined) return [];
  return [
    {
      name: "nine healthy endpoints while the tenth hangs, p99",
      measured: found.p99Ms,
      unit: "ms",
      floor: { what: "all ten healthy", measured: found.baselineP99Ms },
      target: { kind: "at_most_of_floor", accept: 1.5, goal: 1.1 },
    },
    {
      name: "sockets held by an endpoint that hangs",
      measured: found.socketsHeld,
      unit: "",
      target: { kind: "at_most", accept: 8, goal: 4 },
    },
  ];
}
