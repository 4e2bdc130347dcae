import { readFileSync } from "node:fs";
import { expect, it } from "@jest/globals";
import { eventually } from "../../support/eventually.ts";
import { startOwnProduct } from "../../support/product/product.ts";
import { withoutDatabase } from "../../support/stack/without-database.ts";

const SERVICES = ["api", "desk"] as const;

// TypeORM connected first and did not try again: both ended, and were restarted with longer and longer pauses.
it("services that start while the database is away wait for it instead of ending", async () => {
  const product = await startOwnProduct({ services: SERVICES });
  const programs = SERVICES.map((name) => product.supervisor.service(name).program);
  await withoutDatabase(product.databaseUrl, async () => {
    for (const program of programs) program.kill("SIGKILL");
    await eventually(() => expect(programs.map(({ deaths }) => deaths)).toEqual([1, 1]));
    const logged = programs.map(({ logPath }) => readFileSync(logPath).length);
    await eventually(() => {
      for (const [n, { logPath }] of programs.entries()) {
        const since = readFileSync(logPath).subarray(logged[n]).toString();
        expect(since).toMatch(/the database's clock|start failed/);
      }
    }, 45_000);
  });
  await product.supervisor.whenReady();
  expect(programs.map(({ deaths }) => deaths)).toEqual([1, 1]);
});
