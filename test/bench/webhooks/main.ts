import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../../infra/project-root.ts";
import { readArguments, type BenchArguments } from "./arguments.ts";
import { measureFloor } from "./floor.ts";
import { measureSystem } from "./measure-system.ts";
import type { Measured } from "./measured.ts";
import { ensurePeerPackages, peerVersions } from "./peer-packages.ts";
import { ENDPOINTS, planOf, type Plan } from "./plan.ts";
import { Receiver } from "./receiver.ts";
import { cpuTable, figuresTable } from "./report.ts";
import type { Results } from "./report-rows.ts";
import type { SystemName } from "./system.ts";
import type { Usage } from "./usage.ts";

const REPORT = join(projectRoot, "test", "bench", "webhooks", "report.md");
const HEADER = `# Webhook deliveries compared with peers

Made by \`npm run bench:webhooks\`. One local receiver with a port per endpoint; each system runs alone, with a new
Postgres that flushes to disk. Every event is committed by itself, by eight committers at once in a burst. Ours is the
whole product with Kafka and the registry: an event is timed from its commit in the outbox to the recorded attempt of its
delivery. A peer is one worker process with the smallest job that POSTs the
body with the same signature and records the attempt in Postgres. A rate is the median of three bursts. CPU and memory
are those of all processes except the receiver and the producer of the events. While an endpoint hangs, a delivery that has
not arrived 60 s after the last event is recorded as arriving then.`;

interface Run extends Results {
  /** Why a system was not measured, or only in part. */
  readonly missing: readonly string[];
  /** CPU used by other processes during the run, in percent of a core. */
  readonly foreignPercent: number;
}

const log = (line: string): void => console.error(line);

async function floorsOf(receiver: Receiver, { eventsToOne, eventsToTen }: Plan) {
  const ten = { deliveries: eventsToTen * ENDPOINTS, endpoints: ENDPOINTS };
  return {
    one: await measureFloor(receiver, { deliveries: eventsToOne, endpoints: 1 }),
    ten: await measureFloor(receiver, ten),
  };
}

async function measureAll(wanted: BenchArguments): Promise<Run> {
  const plan = planOf(wanted.scale);
  const receiver = await Receiver.start(ENDPOINTS);
  const systems = new Map<SystemName, Measured>();
  const missing: string[] = [];
  let [foreign, elapsed] = [0, 0];
  const onUsage = (usage: Usage): void => {
    foreign += usage.foreign;
    elapsed += usage.elapsedSeconds;
  };
  try {
    if (wanted.withFloor) log("undici alone …");
    const floors = wanted.withFloor ? await floorsOf(receiver, plan) : null;
    for (const name of wanted.systems) {
      const problem = name === "ours" ? null : peerProblem();
      const options = { receiver, plan, parts: wanted.parts, log, onUsage };
      const done = problem === null ? await measureSystem(name, options) : { problem };
      if ("measured" in done) systems.set(name, done.measured);
      if (done.problem === null) continue;
      missing.push(`${name}: not measured: ${done.problem}`);
      log(missing.at(-1) ?? "");
    }
    const foreignPercent = elapsed === 0 ? 0 : (foreign * 100) / elapsed;
    return { systems, floors, missing, foreignPercent };
  } finally {
    await receiver.stop();
  }
}

function peerProblem(): string | null {
  try {
    ensurePeerPackages(log);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Above this, what others took may have changed the figures. */
const DISTURBED_PERCENT = 10;

/** The conditions of the measurement, for the report. */
function conditions({ foreignPercent, missing }: Run, load: number): string {
  const peers = [...peerVersions()].map(([name, version]) => `${name} ${version}`).join(", ");
  return [
    `${cpus().length} cores, shared by all processes; Node ${process.versions.node}; ${new Date().toISOString().slice(0, 10)}. ` +
      `Load average at the start ${load.toFixed(2)}; other processes used ${foreignPercent.toFixed(0)} % of a core${foreignPercent > DISTURBED_PERCENT ? ": DISTURBED" : ""}.`,
    ...missing,
    `Peers: ${peers}.`,
  ].join("\n\n");
}

async function main(): Promise<void> {
  const wanted = readArguments(process.argv.slice(2));
  const [load = 0] = loadavg();
  const run = await measureAll(wanted);
  const text = [figuresTable(run), conditions(run, load), cpuTable(run)].join("\n\n");
  console.log(`\n${text}\n`);
  if (wanted.isWhole && run.systems.has("ours")) writeFileSync(REPORT, `${HEADER}\n\n${text}\n`);
  if (run.missing.some((line) => line.startsWith("ours"))) process.exitCode = 1;
}

await main();
