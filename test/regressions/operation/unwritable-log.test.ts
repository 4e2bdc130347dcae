import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { freePort } from "../../../infra/start/supervisor/ports.ts";
import { eventually } from "../../support/eventually.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { adminVariables } from "../../support/stack/kafka-access.ts";
import { createTestDatabase, testStack } from "../../support/stack/test-stack.ts";

/** Every write to it fails with ENOSPC. */
const FULL_DISK = "/dev/full";

/** Logs 2 MB, some lines per tick, and ends. */
const LOGS_MUCH = `
const { createLogger } = await import(process.argv[1]);
const log = createLogger("test", "info");
for (let line = 0; line < 4_000; line += 1) {
  log.info({ filler: "x".repeat(500) }, "line");
  if (line % 100 === 0) await new Promise(setImmediate);
}
process.exit(0);`;

it("a process whose log goes to a pipe that nobody reads does not wait for a reader", async () => {
  const logger = join(projectRoot, "services", "platform", "logger.ts");
  const child = spawn(process.execPath, ["--input-type=module", "-e", LOGS_MUCH, logger], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  endAfterTests(() => child.kill("SIGKILL"));
  // Its standard output is neither read nor closed.
  child.stdout.pause();
  const [code] = (await once(child, "exit")) as [number | null];
  expect(code).toBe(0);
});

it("a service whose log is on a full disk starts, is ready and stops without a fault", async () => {
  const database = await createTestDatabase();
  const port = String(await freePort());
  const service = spawn(
    process.execPath,
    [join(projectRoot, "services", "outbox-relay", "main.ts")],
    {
      env: {
        DATABASE_URL: database.url,
        ...adminVariables(testStack().kafka_brokers),
        SECRETS_KEY: randomBytes(32).toString("base64"),
        HEALTH_PORT: port,
        LOG_LEVEL: "debug",
      },
      stdio: ["ignore", openSync(FULL_DISK, "w"), "ignore"],
    },
  );
  endAfterTests(() => service.kill("SIGKILL"));
  const ended = new Promise<number | null>((resolve) => service.once("exit", resolve));
  await eventually(async () => {
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  });
  service.kill("SIGTERM");
  expect(await ended).toBe(0);
});
