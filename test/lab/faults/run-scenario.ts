import { SERVICE_NAMES } from "../../../infra/start/supervisor/service-table.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import {
  startProductAt,
  type OwnProduct,
  type ProductPlace,
} from "../../support/product/product.ts";
import type { Figure } from "../bench/figure.ts";
import type { Breach } from "./check-history.ts";
import type { FaultPlace } from "./fault-place.ts";
import { runFaults, type FaultReport, type FaultRun } from "./fault-run.ts";
import { STEADY } from "./load.ts";
import { replayEverything } from "./replay.ts";
import {
  atMost,
  none,
  reported,
  type Scenario,
  type ScenarioContext,
  type ScenarioSettings,
} from "./scenario.ts";

export interface BreachCounts {
  /** Changes, events, webhooks, calls and port-outs that are missing somewhere. */
  readonly lost: number;
  /** Those that are there more than once. */
  readonly doubled: number;
  /** All others, such as an event of an order that nobody created. */
  readonly other: number;
}

const LOST =
  /^(lost: |feed lacks |log lacks |topic lacks |not delivered: |not live: |reader: |not ended: )|is logged 0 times$/;
const DOUBLED = /^(doubled: |feed: an event is there twice)|is logged ([2-9]|\d\d+) times$/;

export function countBreaches(breaches: readonly Breach[]): BreachCounts {
  const lost = breaches.filter((one) => LOST.test(one)).length;
  const doubled = breaches.filter((one) => !LOST.test(one) && DOUBLED.test(one)).length;
  return { lost, doubled, other: breaches.length - lost - doubled };
}

export interface ScenarioRun {
  readonly place: FaultPlace;
  readonly settings: ScenarioSettings;
  readonly seed: number;
  /** The least number of acknowledged changes. */
  readonly changes: number;
  readonly log: (line: string) => void;
}

export interface ScenarioResult {
  readonly figures: readonly Figure[];
  /** How often each process was killed. */
  readonly kills: Readonly<Record<string, number>>;
  readonly breaches: readonly string[];
}

const WARM_MS = 60_000;
const WARM_CHANGES = 30;
/** After that the product is regarded as broken. */
const GIVE_UP_MS = 180_000;
const RECOVERY_MS = 10_000;

/** Runs one scenario on a product of its own, and checks its whole history. @throws where it cannot come to an end */
export async function runScenario(scenario: Scenario, run: ScenarioRun): Promise<ScenarioResult> {
  const { place, log } = run;
  const { proxied, direct } = await place.newDatabase();
  const product = await startProductAt(proxied, { env: scenario.env ?? {}, log });
  try {
    const injected = new Injected(scenario, { ...run, direct });
    const report = await runFaults({
      product,
      receiver: place.receiver,
      seed: run.seed,
      changes: run.changes,
      load: scenario.load ?? STEADY,
      disturb: (faultRun) => injected.inject(faultRun),
      log,
    });
    log(`the longest wait was for ${report.longestWait.what}`);
    const exits = deathsOf(product) - injected.serviceKills;
    if (scenario.isReplayed === true) log("reading every topic again from its start");
    const replayed = scenario.isReplayed === true ? await replayEverything(product) : null;
    const figures = [
      ...historyFigures(report),
      ...injected.figures(exits),
      ...(replayed === null ? [] : [none("tables that a replay changed", replayed.length)]),
    ];
    const breaches = [...Object.values(report.breaches).flat(), ...(replayed ?? [])];
    return { figures, kills: injected.kills, breaches };
  } finally {
    for (const link of Object.values(place.links)) link.heal();
    place.disk?.free();
    await product.stop();
  }
}

/** What one scenario did to the product, and how long that took to recover. */
class Injected {
  readonly kills: Record<string, number> = {};
  readonly #scenario: Scenario;
  readonly #run: ScenarioRun & { readonly direct: ProductPlace };
  #own: readonly Figure[] = [];
  #longestMs = 0;

  constructor(scenario: Scenario, run: ScenarioRun & { readonly direct: ProductPlace }) {
    this.#scenario = scenario;
    this.#run = run;
  }

  /** Kills that the services' supervisor counts as deaths. */
  get serviceKills(): number {
    return SERVICE_NAMES.reduce((sum, name) => sum + (this.kills[name] ?? 0), 0);
  }

  async inject(faultRun: FaultRun): Promise<void> {
    const { place, direct, settings, log } = this.#run;
    const { record, canary } = faultRun;
    const begun = performance.now();
    await until(
      () => record.acknowledged.length >= WARM_CHANGES && canary.wellAfterMs(begun) !== null,
      { timeoutMs: WARM_MS, what: "the first changes" },
    );
    log(`under load; ${this.#scenario.what}`);
    const context: ScenarioContext = {
      ...faultRun,
      ...{ place, direct, settings, log },
      killed: (name) => {
        this.kills[name] = (this.kills[name] ?? 0) + 1;
        log(`killed ${name}; ${record.acknowledged.length} changes`);
      },
      recover: () => this.#recover(faultRun),
    };
    this.#own = await this.#scenario.run(context);
    await this.#recover(faultRun);
  }

  figures(exits: number): Figure[] {
    const { recoveryMs = RECOVERY_MS } = this.#scenario;
    const longest = this.#longestMs / 1_000;
    const name = "longest recovery";
    const kills = Object.values(this.kills).reduce((sum, one) => sum + one, 0);
    return [
      ...(kills === 0 ? [] : [reported("kills", kills)]),
      recoveryMs === null
        ? reported(name, longest, "s")
        : atMost(name, longest, [recoveryMs / 1_000, "s"]),
      none("services that ended by themselves", exits),
      ...this.#own,
    ];
  }

  async #recover({ product, canary, progress }: FaultRun): Promise<void> {
    const moment = performance.now();
    const { supervisor } = product;
    const areReady = () => SERVICE_NAMES.every((name) => supervisor.service(name).program.isReady);
    const after = async (condition: () => boolean, what: string): Promise<number> => {
      const within = { timeoutMs: GIVE_UP_MS, what, everyMs: 20 };
      await until(() => progress.failed || condition(), within);
      progress.check();
      return performance.now() - moment;
    };
    const ms = Math.max(
      await after(areReady, "all services to be ready"),
      await after(() => canary.wellAfterMs(moment) !== null, "the product to work again"),
    );
    this.#run.log(`works again after ${(ms / 1_000).toFixed(1)} s`);
    this.#longestMs = Math.max(this.#longestMs, ms);
  }
}

function deathsOf({ supervisor }: OwnProduct): number {
  return SERVICE_NAMES.reduce((sum, name) => sum + supervisor.service(name).program.deaths, 0);
}

function historyFigures(report: FaultReport): Figure[] {
  const { lost, doubled, other } = countBreaches(Object.values(report.breaches).flat());
  return [
    reported("acknowledged changes", report.acknowledged),
    reported("changes whose answer was lost or refused", report.doubts),
    reported("events", report.events),
    reported("calls", report.calls),
    reported("port-outs", report.portOuts),
    reported("changes that carriers were asked for", report.changed),
    reported("orders that the desk split", report.split),
    reported("longest wait for a check or a carrier", report.longestWait.ms / 1_000, "s"),
    reported("webhooks sent more than once", report.extraAttempts),
    none("lost", lost),
    none("doubled", doubled),
    none("other breaches of the history", other),
  ];
}
