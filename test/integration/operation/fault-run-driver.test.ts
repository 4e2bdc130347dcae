import { beforeAll, describe, expect, it } from "@jest/globals";
import { withConnection } from "../../../infra/local-stack/postgres.ts";
import { DriverRecord, RunProgress, waitUntilQuiet } from "../../lab/faults/run-progress.ts";
import { createTestDatabase, type TestDatabase } from "../../support/stack/test-stack.ts";

const QUIET_MS = 200;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

const quiet = (record: DriverRecord, progress = new RunProgress()): Promise<void> =>
  waitUntilQuiet({ databaseUrl: database.url }, { record, progress }, QUIET_MS);

describe("the driver of a fault run", () => {
  it("continues when nothing is missing", async () => {
    await expect(quiet(new DriverRecord())).resolves.toBeUndefined();
  });

  it("fails with the names of missing items and dead letters", async () => {
    const record = new DriverRecord();
    record.calls.add("the-lost-call");
    record.portOuts.add("+12125550000");
    await withConnection(database.url, (client) =>
      client.query(
        `insert into messaging.outbox (message_id, topic, shard)
          values ('00000000-0000-7000-8000-000000000000', 'carriers.requests', 0)`,
      ),
    );
    const error = quiet(record);
    await expect(error).rejects.toThrow("call not logged: 1 (the-lost-call)");
    await expect(error).rejects.toThrow("port-out not logged: 1 (+12125550000)");
    await expect(error).rejects.toThrow(/message not sent: 1 \(carriers\.requests 0{8}-/);
    await expect(error).rejects.toThrow("dead letter: 0");
  });

  it("does not wait when another driver has failed", async () => {
    const progress = new RunProgress();
    await expect(progress.add(Promise.reject(new Error("the desk")))).rejects.toThrow("the desk");
    await expect(quiet(new DriverRecord(), progress)).rejects.toThrow("the desk");
  });
});
