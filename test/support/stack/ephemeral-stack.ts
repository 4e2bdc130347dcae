import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseUrl, ensureDatabase } from "../../../infra/local-stack/postgres.ts";
import { startLocalStack } from "../../../infra/local-stack/local-stack.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { serveSharedProducts } from "../product/shared-products.ts";
import { TEST_LOGINS } from "./database-access.ts";
import type { TestStack } from "./test-stack.ts";

const TEMPLATE = "porting_template";
/** No test kills this broker, and it must not lose its partitions when a busy machine delays it. */
const PATIENT_BROKER = { "broker.session.timeout.ms": 30_000 };

export interface EphemeralStack {
  /** The value of STACK_FILE, which `testStack()` reads. */
  readonly file: string;
  stop(): Promise<void>;
}

async function makeTemplate(url: string): Promise<void> {
  await ensureDatabase(databaseUrl(url, "postgres"), TEMPLATE);
  await migrate(databaseUrl(url, TEMPLATE));
}

/** A stack in a temporary folder with a migrated template database; `stop` removes everything. */
export async function startEphemeralStack(log: (line: string) => void): Promise<EphemeralStack> {
  const dataDir = mkdtempSync(join(tmpdir(), "porting-test-"));
  // The database's user needs access to it.
  chmodSync(dataDir, 0o755);
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  try {
    const stack = await startLocalStack({
      dataDir,
      log,
      durable: false,
      ...TEST_LOGINS,
      kafkaSettings: PATIENT_BROKER,
      onDatabase: makeTemplate,
    });
    const { databaseUrl: url, kafkaBrokers, registryUrl } = stack.addresses;
    const file = join(dataDir, "stack.json");
    // Read by what starts a product in this process, too.
    process.env["STACK_FILE"] = file;
    const products = await serveSharedProducts();
    const content: TestStack = {
      data_dir: dataDir,
      database_url: url,
      kafka_brokers: kafkaBrokers,
      schema_registry_url: registryUrl,
      template_database: TEMPLATE,
      products_url: products.url,
    };
    writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
    return {
      file,
      stop: () =>
        products
          .stop()
          .then(() => stack.stop())
          .finally(remove),
    };
  } catch (error) {
    remove();
    throw error;
  }
}
