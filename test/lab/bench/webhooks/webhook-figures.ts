import { REPORTED, type Compared, type Figure, type Target } from "../figure.ts";
import type { FloorFigures, Results } from "./measure-systems.ts";
import {
  PEER_NAMES,
  type BurstFigures,
  type Measured,
  type SoakStretch,
  type SteadyFigures,
  type SystemName,
} from "./system.ts";
import { totalOf } from "./usage.ts";

type Read = (measured: Measured) => number | undefined;

const ON_POSTGRES: readonly SystemName[] = ["graphile-worker", "pg-boss"];

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
    peers: ON_POSTGRES,
    rate: { kind: "at_least_of_peer", accept: 1.2, goal: 2 },
    cpu: REPORTED,
  },
  "burst-10": {
    name: "10 endpoints",
    peers: PEER_NAMES,
    rate: { kind: "at_least_of_peer", accept: 1.3, goal: 1.5 },
    cpu: REPORTED,
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
  const mib: Target = { kind: "at_most", accept: 1_200, goal: 900 };
  const storage = { name: "stored per event and endpoint", unit: "bytes", of: stored };
  const resident = { name: "memory after the bursts", unit: "MiB", of: memory };
  return [
    ...burstOf(results, "burst-1", floors.one),
    ...burstOf(results, "burst-10", floors.ten),
    ...compared(results, { ...storage, target: REPORTED }, undefined),
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
const STEADY = ["steady-50", "steady-200", "steady-half"] as const;
type Steady = (typeof STEADY)[number];

/** The lightest of the queues on Postgres, by which ours is judged. */
const JOB_QUEUE: SystemName = "graphile-worker";
const timesThe = (accept: number): Target => ({ kind: "at_most_of_peer", accept });
const NEAR: Readonly<Record<Steady, Readonly<Record<"p50" | "p99" | "cpu", Target>>>> = {
  "steady-50": { p50: timesThe(4), p99: timesThe(4), cpu: timesThe(1.3) },
  "steady-200": { p50: timesThe(4), p99: timesThe(4), cpu: timesThe(1.3) },
  "steady-half": { p50: timesThe(5), p99: REPORTED, cpu: REPORTED },
};

/** Each rate of ours and its peers: how late, at what cost, and the rate that the producer really kept. */
export function steadyFigures(results: Results, halfPerSecond: number): Figure[] {
  return STEADY.flatMap((part): Figure[] => {
    const rate = part === "steady-half" ? halfPerSecond : Number(part.slice("steady-".length));
    const name = `steady ${rate.toLocaleString("en")} events/s, 1 endpoint`;
    const { p50, p99, cpu } = NEAR[part];
    const row = (label: string, unit: string, target: Target, field: SteadyNumber): Figure[] => {
      const of: Read = (measured) => measured[part]?.[field];
      const peer = numberOf(results, JOB_QUEUE, of);
      const best = peer === undefined ? undefined : { what: JOB_QUEUE, measured: peer };
      const named = { name: `${name}, ${label}`, unit, of, target };
      return compared(results, named, target.kind === "at_most_of_peer" ? best : undefined);
    };
    return [
      ...row("p50", "ms", p50, "p50Ms"),
      ...row("p99", "ms", p99, "p99Ms"),
      ...row("CPU per delivery", "ms", cpu, "cpuMsPerDelivery"),
      ...sharesOf(results.get("ours")?.[part]?.cpuMsByProcess, {
        name: `${name}, CPU by process`,
        unit: "ms",
      }),
      ...row("arrived within a minute", "%", EVERY, "arrivedPercent"),
      ...row("transactions per event", "", REPORTED, "transactionsPerEvent"),
      ...row("rate that the producer kept", "/s", REPORTED, "perSecond"),
      ...row("stored per event", "bytes", REPORTED, "bytesPerDelivery"),
    ];
  });
}

type SteadyNumber = Exclude<keyof SteadyFigures, "cpuMsByProcess">;

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

/** Nothing may be more than a tenth worse at the end than at the beginning. */
const HELD: Target = { kind: "at_most_of_floor", accept: 1.1 };

/** The last stretch beside the first. */
export function soakFigures(results: Results): Figure[] {
  const { perSecond = 0, stretches = [] } = results.get("ours")?.soak ?? {};
  const [first, last] = [stretches[0], stretches.at(-1)];
  if (first === undefined || last === undefined) throw new TypeError("soak was not measured");
  const held = (name: string, unit: string, of: (stretch: SoakStretch) => number): Figure => ({
    name,
    unit,
    measured: of(last),
    floor: { what: "at the beginning", measured: of(first) },
    target: HELD,
  });
  const missing = stretches.reduce((sum, stretch) => sum + stretch.missing, 0);
  return [
    { name: "orders at half of capacity", unit: "/s", measured: perSecond, target: REPORTED },
    {
      name: "  webhooks that did not arrive",
      unit: "",
      measured: missing,
      target: { kind: "at_most", accept: 0 },
    },
    held("answer → receipt at the end, p50", "ms", ({ p50Ms }) => p50Ms),
    held("answer → receipt at the end, p99", "ms", ({ p99Ms }) => p99Ms),
    held("memory at the end", "MiB", ({ memoryMibByProcess }) => totalOf(memoryMibByProcess)),
    ...memoryRows(first, last),
    held("open files and sockets at the end", "", ({ descriptors }) => descriptors),
    held("growth of the database per order, at the end", "bytes", (one) => one.bytesPerOrder),
    {
      name: "  dead rows",
      unit: "%",
      measured: last.deadRowsPercent,
      floor: { what: "at the beginning", measured: first.deadRowsPercent },
      target: REPORTED,
    },
  ];
}

function memoryRows(first: SoakStretch, last: SoakStretch): Figure[] {
  return [...last.memoryMibByProcess]
    .toSorted(([, a], [, b]) => b - a)
    .map(([process, measured]) => ({
      name: `  ${process}`,
      unit: "MiB",
      measured,
      floor: {
        what: "at the beginning",
        measured: first.memoryMibByProcess.get(process) ?? 0,
      },
      target: REPORTED,
    }));
}
