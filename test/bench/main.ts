import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { startLocalStack } from "../../infra/local-stack/local-stack.ts";
import { databaseUrl, ensureDatabase } from "../../infra/local-stack/postgres.ts";
import { migrate } from "../../infra/migrate/migrate.ts";
import { projectRoot } from "../../infra/project-root.ts";
import type { Bench, BenchContext } from "./bench.ts";
import { apiRequests } from "./benches/api-requests.ts";
import { calls } from "./benches/calls.ts";
import { consolePages } from "./benches/console.ts";
import { createOrder } from "./benches/create-order.ts";
import { deliveryList } from "./benches/delivery-list.ts";
import { eventLog } from "./benches/event-log.ts";
import { eventList } from "./benches/event-list.ts";
import { eventFeed } from "./benches/event-feed.ts";
import { idle } from "./benches/idle.ts";
import { orderList } from "./benches/order-list.ts";
import { orders } from "./benches/orders.ts";
import { receipt } from "./benches/receipt.ts";
import { relay } from "./benches/relay.ts";
import { reviewQueue } from "./benches/review-queue.ts";
import { retryLateness } from "./benches/retry-lateness.ts";
import type { Figure } from "./figure.ts";
import { tableOf, withSection } from "./report.ts";
import { TEST_LOGINS } from "../support/stack/database-access.ts";

const BENCHES: readonly Bench[] = [
  relay,
  eventLog,
  eventFeed,
  eventList,
  deliveryList,
  createOrder,
  apiRequests,
  orderList,
  reviewQueue,
  consolePages,
  orders,
  receipt,
  retryLateness,
  calls,
  idle,
];
const REPORT = join(projectRoot, "test", "bench", "report.md");

function report(name: string, figures: readonly Figure[]): void {
  const day = new Date().toISOString().slice(0, 10);
  const madeOn = `${cpus().length} cores, shared by all processes; Node ${process.versions.node}; ${day}.`;
  const known = existsSync(REPORT) ? readFileSync(REPORT, "utf8") : "";
  const names = BENCHES.map((bench) => bench.name);
  writeFileSync(REPORT, withSection(known, { name, madeOn, figures }, names));
  console.log(`\n${tableOf(figures)}\n`);
}

async function main(wanted: readonly string[]): Promise<void> {
  const log = (line: string): void => console.error(line);
  const dataDir = mkdtempSync(join(tmpdir(), "porting-bench-"));
  chmodSync(dataDir, 0o755);
  const stack = await startLocalStack({ dataDir, ...TEST_LOGINS, log });
  const { kafkaBrokers, registryUrl, databaseUrl: url } = stack.addresses;
  const context: BenchContext = {
    stack,
    log,
    newPlace: async () => {
      const name = `bench_${randomBytes(4).toString("hex")}`;
      await ensureDatabase(databaseUrl(url, "postgres"), name);
      const own = databaseUrl(url, name);
      await migrate(own);
      return { databaseUrl: own, kafkaBrokers, registryUrl };
    },
  };
  try {
    for (const bench of BENCHES) {
      if (wanted.length > 0 && !wanted.includes(bench.name)) continue;
      log(`${bench.name} …`);
      report(bench.name, await bench.run(context));
    }
  } finally {
    await stack.stop();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

await main(process.argv.slice(2));
