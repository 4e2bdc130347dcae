import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { startLocalStack } from "../../../../infra/local-stack/local-stack.ts";
import { migrate } from "../../../../infra/migrate/migrate.ts";
import { startProductAt } from "../../../support/product/product.ts";
import { runLogFaults } from "./log-run.ts";
import { TEST_LOGINS } from "../../../support/stack/database-access.ts";

interface Options {
  readonly seed: string;
  readonly events: string;
  readonly writers: string;
}

/** The event log's fault run on its own stack; false where any check was breached. */
async function main({ seed, events, writers }: Options): Promise<boolean> {
  const startedAt = performance.now();
  const log = (line: string): void => {
    console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${line}`);
  };
  const dataDir = mkdtempSync(join(tmpdir(), "porting-faults-"));
  chmodSync(dataDir, 0o755);
  const stack = await startLocalStack({
    dataDir,
    log,
    ...TEST_LOGINS,
    onDatabase: migrate,
  });
  try {
    const product = await startProductAt(stack.addresses, {
      services: ["api", "desk", "outbox-relay", "event-log", "webhook-sender"],
    });
    try {
      const { breaches, ...figures } = await runLogFaults({
        product,
        seed: Number(seed),
        writers: Number(writers),
        events: Number(events),
        pauseMs: 400,
        killEveryMs: 3_000,
        catchUpMs: 300_000,
        log,
      });
      console.log(`\n${JSON.stringify(figures, null, 2)}`);
      for (const [check, found] of Object.entries(breaches)) {
        console.log(`${found.length === 0 ? "held  " : "BROKEN"} ${check}`);
        for (const breach of found) console.log(`         ${breach}`);
      }
      return Object.values(breaches).every((found) => found.length === 0);
    } finally {
      await product.stop();
    }
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

const options = new Command()
  .description(
    "kills both consumers of the event log under many writers, and checks what two readers see",
  )
  .option("--seed <number>", "seed of the run's random choices", "1")
  .option("--events <number>", "number of events", "100000")
  .option("--writers <number>", "concurrent writers", "50")
  .parse()
  .opts<Options>();
process.exit((await main(options)) ? 0 : 1);
