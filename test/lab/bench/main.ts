import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { Command, InvalidArgumentError } from "commander";
import { startLocalStack, type LocalStack } from "../../../infra/local-stack/local-stack.ts";
import { databaseUrl, ensureDatabase } from "../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { ensurePages } from "../../../infra/pages/ensure-pages.ts";
import { projectRoot } from "../../../infra/project-root.ts";
import { TEST_LOGINS } from "../../support/stack/database-access.ts";
import type { Bench, BenchAlone, BenchContext } from "./bench.ts";
import { apiRequests } from "./benches/api-requests.ts";
import { calls } from "./benches/calls.ts";
import { consolePages } from "./benches/console.ts";
import { createOrder } from "./benches/create-order.ts";
import { deliveryList } from "./benches/delivery-list.ts";
import { eventFeed } from "./benches/event-feed.ts";
import { eventList } from "./benches/event-list.ts";
import { eventLog } from "./benches/event-log.ts";
import { idle } from "./benches/idle.ts";
import { orderList } from "./benches/order-list.ts";
import { orders } from "./benches/orders.ts";
import { relay } from "./benches/relay.ts";
import { retryLateness } from "./benches/retry-lateness.ts";
import { reviewQueue } from "./benches/review-queue.ts";
import type { Figure } from "./figure.ts";
import { addToHistory, readHistory, recordRuns, type HistoryLine } from "./history.ts";
import { cpuSecondsOf } from "./process-use.ts";
import { conditions, reportOf, tableOf, withLastMeasured } from "./report.ts";
import { soak, WEBHOOK_BENCHES } from "./webhooks/webhook-benches.ts";

/** Every benchmark, in the order in which they run; the quick ones that are run several times first. */
const BENCHES: readonly (Bench | BenchAlone)[] = [
  ...WEBHOOK_BENCHES,
  // Before those that leave full tables in the same Postgres, which it goes on tidying up.
  idle,
  orders,
  createOrder,
  apiRequests,
  relay,
  eventLog,
  eventFeed,
  retryLateness,
  calls,
  orderList,
  eventList,
  deliveryList,
  reviewQueue,
  consolePages,
  soak,
];

interface Running {
  readonly stack: LocalStack;
  readonly dataDir: string;
}

/** The stack of the benchmarks that share one; it starts with the first, and again after it was stopped. */
class BenchStack {
  readonly #log: (line: string) => void;
  #running: Running | null = null;

  constructor(log: (line: string) => void) {
    this.#log = log;
  }

  async context(): Promise<BenchContext> {
    this.#running ??= await this.#start();
    const { stack } = this.#running;
    const { kafkaBrokers, registryUrl, databaseUrl: url } = stack.addresses;
    return {
      stack,
      log: this.#log,
      newPlace: async () => {
        const name = `bench_${randomBytes(4).toString("hex")}`;
        await ensureDatabase(databaseUrl(url, "postgres"), name);
        const own = databaseUrl(url, name);
        await migrate(own);
        return { databaseUrl: own, kafkaBrokers, registryUrl };
      },
    };
  }

  async stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    await running.stack.stop();
    rmSync(running.dataDir, { recursive: true, force: true, maxRetries: 5 });
  }

  async #start(): Promise<Running> {
    const dataDir = mkdtempSync(join(tmpdir(), "porting-bench-"));
    chmodSync(dataDir, 0o755);
    try {
      return { dataDir, stack: await startLocalStack({ dataDir, ...TEST_LOGINS, log: this.#log }) };
    } catch (error) {
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
      throw error;
    }
  }
}

const TICKS_PER_SECOND = 100;

/** CPU seconds of the whole machine since its start. */
function busySeconds(): number {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq) / TICKS_PER_SECOND;
}

/** What everything but this process and its descendants uses from now on, in percent of a core. */
function watchForeignCpu(): () => number {
  const own = (): number => cpuSecondsOf(new Set([process.pid])).get(process.pid) ?? 0;
  const read = () => ({ own: own(), busy: busySeconds(), at: performance.now() });
  const before = read();
  return () => {
    const after = read();
    const seconds = after.busy - before.busy - (after.own - before.own);
    return Math.max(0, (seconds * 100_000) / (after.at - before.at));
  };
}

const PAGE = join(projectRoot, "docs", "benchmarks.md");
const REPORT = join(projectRoot, "test", "lab", "bench", "report.md");
const log = (line: string): void => console.error(line);

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new InvalidArgumentError("It is a whole number above 0.");
}

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" }).trim();

/** The short hash of what is measured, with `+` where files have changed since. */
function commit(): string {
  const changed = git(
    "status",
    "--porcelain",
    "--untracked-files=no",
    "--",
    ".",
    ":!test/lab/bench",
    ":!docs/benchmarks.md",
  );
  return `${git("rev-parse", "--short", "HEAD")}${changed === "" ? "" : "+"}`;
}

interface Options {
  readonly reportOnly: boolean;
  readonly runs: number;
  readonly steadySeconds: number;
  readonly soakMinutes: number;
}

type Measure = (bench: Bench | BenchAlone) => Promise<readonly Figure[]>;

/** As often as wanted, one run after the other. */
async function lineOf(
  bench: Bench | BenchAlone,
  wanted: number,
  measure: Measure,
): Promise<HistoryLine> {
  const figures: (readonly Figure[])[] = [];
  const runs = bench.once === true ? 1 : wanted;
  const foreign = watchForeignCpu();
  const begun = performance.now();
  for (let run = 1; run <= runs; run += 1) {
    log(`${bench.name}, run ${run} of ${runs} …`);
    figures.push(await measure(bench));
  }
  return {
    bench: bench.name,
    at: new Date().toISOString().slice(0, 10),
    commit: commit(),
    runs,
    node: process.versions.node,
    cores: cpus().length,
    foreign_percent: Math.round(foreign()),
    seconds: Math.round((performance.now() - begun) / 1_000),
    figures: recordRuns(figures),
  };
}

function writeReport(): void {
  const history = readHistory(projectRoot);
  writeFileSync(REPORT, reportOf(history, BENCHES));
  writeFileSync(PAGE, withLastMeasured(readFileSync(PAGE, "utf8"), history));
}

/** Measures each and writes its line and the report before the next; false where one failed. */
async function run(names: readonly string[], options: Options): Promise<boolean> {
  await ensurePages(log);
  const wanted = BENCHES.filter(({ name, isNamedOnly = false }) =>
    names.length === 0 ? !isNamedOnly : names.includes(name),
  );
  const stack = new BenchStack(log);
  const { steadySeconds, soakMinutes } = options;
  const measure: Measure = async (bench) => {
    if (!("runAlone" in bench)) return bench.run(await stack.context());
    await stack.stop();
    return bench.runAlone({ log, steadySeconds, soakMinutes });
  };
  let isWhole = true;
  try {
    for (const bench of wanted) {
      const line = await lineOf(bench, options.runs, measure).catch((error: unknown) => {
        isWhole = false;
        log(`${bench.name}: NOT MEASURED: ${inspect(error)}`);
        return null;
      });
      if (line === null) continue;
      addToHistory(projectRoot, line);
      writeReport();
      console.log(`\n${bench.name}: ${conditions(line)}\n\n${tableOf(line.figures)}\n`);
    }
  } finally {
    await stack.stop();
  }
  return isWhole;
}

const command = new Command()
  .description("measures the product beside floors and peers, into test/lab/bench/report.md")
  .argument(
    "[names...]",
    `some of ${BENCHES.map(({ name }) => name).join(", ")}; all but soak without one`,
  )
  .option("--runs <number>", "how often each is measured", wholeNumber, 3)
  .option("--steady-seconds <number>", "how long each steady load lasts", wholeNumber, 30)
  .option("--soak-minutes <number>", "how long the benchmark soak lasts", wholeNumber, 60)
  .option("--report-only", "only write the report again, from the history", false)
  .parse();
const names = command.args;
const unknown = names.filter((name) => BENCHES.every((bench) => bench.name !== name));
if (unknown.length > 0) command.error(`There is no benchmark ${unknown.join(", ")}.`);
const options = command.opts<Options>();
if (options.reportOnly) writeReport();
else process.exit((await run(names, options)) ? 0 : 1);
