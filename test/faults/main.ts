import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { startLocalStack } from "../../infra/local-stack/local-stack.ts";
import { migrate } from "../../infra/migrate/migrate.ts";
import { startProductAt } from "../support/product/product.ts";
import { runFaults, type FaultReport } from "./fault-run.ts";
import { startFaultReceiver } from "./fault-receiver.ts";
import { replayEverything } from "./replay.ts";
import { TEST_LOGINS } from "../support/stack/database-access.ts";

interface Options {
  readonly seed: string;
  readonly changes: string;
  readonly kills: string;
  readonly traffic: boolean;
}

const SHOWN = 5;

function print(report: FaultReport, replayed: readonly string[], seconds: number): boolean {
  const { breaches, kills, ...figures } = report;
  console.log(`\n${JSON.stringify({ ...figures, kills, seconds }, null, 2)}`);
  const all = { ...breaches, replayChangesNothing: replayed };
  for (const [check, found] of Object.entries(all)) {
    console.log(`${found.length === 0 ? "held  " : "BROKEN"} ${check}: ${found.length}`);
    for (const breach of found.slice(0, SHOWN)) console.log(`         ${breach}`);
  }
  return Object.values(all).every((found) => found.length === 0);
}

/** The fault run on its own stack; false where any check was breached. */
async function main({ seed, changes, kills, traffic }: Options): Promise<boolean> {
  const startedAt = performance.now();
  const log = (line: string): void =>
    console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${line}`);
  const dataDir = mkdtempSync(join(tmpdir(), "porting-faults-"));
  chmodSync(dataDir, 0o755);
  const stack = await startLocalStack({
    dataDir,
    log,
    ...TEST_LOGINS,
    onDatabase: migrate,
  });
  const receiver = await startFaultReceiver();
  const product = await startProductAt(stack.addresses, {});
  try {
    const report = await runFaults({
      product,
      receiver,
      seed: Number(seed),
      changes: Number(changes),
      kills: Number(kills),
      pauseMs: [2_000, 6_000],
      traffic,
      killBroker: async () => {
        stack.part("kafka").kill();
        await stack.part("kafka").whenReady(60_000);
      },
      log,
    });
    log("replaying every topic");
    const replayed = await replayEverything(product);
    return print(report, replayed, Math.round((performance.now() - startedAt) / 1_000));
  } finally {
    await product.stop();
    await receiver.stop();
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

const options = new Command()
  .description("kills every service at random under load, then checks the whole history")
  .option("--seed <number>", "seed of the run's random choices", "1")
  .option("--changes <number>", "minimum number of acknowledged changes", "5000")
  .option("--kills <number>", "number of kills", "32")
  .option("--traffic", "also play calls and port-outs", false)
  .parse()
  .opts<Options>();
process.exitCode = (await main(options)) ? 0 : 1;
