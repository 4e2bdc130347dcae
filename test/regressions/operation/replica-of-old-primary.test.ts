/** @tier nightly */
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { call } from "../../support/http/call.ts";
import { eventually } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";
import { startProductAt } from "../../support/product/product.ts";
import { startOwnStack } from "../../support/stack/own-stack.ts";
import { startStandby } from "../../support/stack/standby.ts";
import { testStack } from "../../support/stack/test-stack.ts";
import { createTestTopics } from "../../support/stack/test-topics.ts";

const CHECKED_MS = 60_000;
const ROWS = 50_000;

// A standby of the primary before a failover had come further in that one's log than the new primary in its own, and was
// read as if it kept up.
it("does not read a replica of the primary before a failover, however far that has come", async () => {
  const { kafka_brokers: kafkaBrokers, schema_registry_url: registryUrl } = testStack();
  const { addresses } = await startOwnStack({
    existing: { kafkaBrokers, registryUrl },
    durable: false,
    walArchive: join(temporaryFolder("failover"), "archive"),
    onDatabase: migrate,
  });
  const promoted = await startStandby(addresses.databaseUrl);
  const left = await startStandby(addresses.databaseUrl);
  await promoted.promote();
  // 50 MB more than the new primary has.
  await withConnection(addresses.databaseUrl, (client) =>
    client.query(
      `create table lost as select n, repeat('x', 1000) as text from generate_series(1, ${ROWS}) n`,
    ),
  );
  await eventually(async () => {
    const { rows } = await withConnection(left.ownerUrl, (client) =>
      client.query<{ n: string }>("select count(*) as n from lost"),
    );
    expect(Number(rows[0]?.n)).toBe(ROWS);
  }, CHECKED_MS);

  const place = { ...addresses, databaseUrl: promoted.ownerUrl };
  const { apiUrl, apiKey: key } = await startProductAt(place, {
    services: ["api"],
    topicPrefix: await createTestTopics(),
    env: { DATABASE_READ_URL: left.url },
  });
  const metrics = async (): Promise<string> => (await fetch(`${apiUrl}/metrics`)).text();
  await eventually(async () => {
    expect(await metrics()).toMatch(/^replica_lag_seconds.* -1$/m);
  }, CHECKED_MS);
  for (const path of ["/v2/porting_orders", "/v2/porting/events"]) {
    expect((await call(apiUrl + path, { key })).status).toBe(200);
  }
  expect(await metrics()).not.toMatch(/^lagging_reads_total\{database="replica"/m);
});
