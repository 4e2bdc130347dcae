import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLocalStack, type LocalStack } from "../../../infra/local-stack/local-stack.ts";
import { databaseUrl, ensureDatabase } from "../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { TEST_LOGINS } from "../../support/stack/database-access.ts";
import type { BenchContext } from "./bench.ts";

interface Running {
  readonly stack: LocalStack;
  readonly dataDir: string;
}

/** The stack of the benchmarks that share one; it starts with the first, and again after it was stopped. */
export class BenchStack {
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
