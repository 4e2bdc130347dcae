import type { ProductPlace } from "../../support/product/product.ts";
import type { Figure } from "../bench/figure.ts";
import type { FaultPlace } from "./fault-place.ts";
import type { FaultRun } from "./fault-run.ts";
import type { Load } from "./load.ts";

/** What the command line asks of a scenario; most take no notice. */
export interface ScenarioSettings {
  readonly kills: number;
  readonly minutes: number;
}

export interface ScenarioContext extends FaultRun {
  readonly place: FaultPlace;
  /** The run's database, Kafka and registry around the proxies. */
  readonly direct: ProductPlace;
  readonly settings: ScenarioSettings;
  readonly log: (line: string) => void;
  /** Counts a kill. */
  readonly killed: (name: string) => void;
  /** Call when a fault has ended: waits until the product works again. The longest wait of a run is reported. */
  readonly recover: () => Promise<void>;
}

/** The faults and promises have the numbers of docs/operations.md, How faults are tested. */
export interface Scenario {
  readonly name: string;
  /** What is done, as a sentence. */
  readonly what: string;
  readonly faults: readonly string[];
  readonly promises: readonly string[];
  /** About how long it takes on two cores. */
  readonly seconds: number;
  /** Whether it is one of `--ci`. */
  readonly isQuick: boolean;
  readonly env?: NodeJS.ProcessEnv;
  readonly load?: Load;
  /** The part whose data is on a small file system of its own; that takes root. */
  readonly smallDisk?: "postgres" | "kafka";
  /** How long the product may take to work again, where it is not 10 s; null where that depends on a backlog. */
  readonly recoveryMs?: number | null;
  /** Whether every topic is read again from its start at the end. */
  readonly isReplayed?: boolean;
  /** Injects the faults under load; returns the figures of its own. */
  run(context: ScenarioContext): Promise<readonly Figure[]>;
}

/** A figure that must be 0. */
export function none(name: string, measured: number, unit = ""): Figure {
  return { name, measured, unit, target: { kind: "at_most", accept: 0 } };
}

export function atMost(name: string, measured: number, [value, unit]: readonly [number, string]) {
  return {
    name,
    measured,
    unit,
    target: { kind: "at_most", accept: value },
  } as const satisfies Figure;
}

export function reported(name: string, measured: number, unit = ""): Figure {
  return { name, measured, unit, target: { kind: "reported" } };
}
