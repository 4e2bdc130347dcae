/** @tier all */
import { beforeEach, describe, expect, it } from "@jest/globals";
import type pg from "pg";
import { DataSource } from "typeorm";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { ALL_MIGRATIONS } from "../../../infra/migrate/migrations/all-migrations.ts";
import { UnsentMessages1700000000096 as UnsentMessages } from "../../../infra/migrate/migrations/0096-unsent-messages.ts";
import { connectClient } from "../../support/stack/test-client.ts";
import { createEmptyDatabase } from "../../support/stack/test-stack.ts";

const BEFORE = ALL_MIGRATIONS.slice(0, ALL_MIGRATIONS.indexOf(UnsentMessages));

let url: string;
let owner: pg.Client;

/** A database of the version before the migration, with a message that was sent and one that waits. */
beforeEach(async () => {
  ({ url } = await createEmptyDatabase());
  const old = new DataSource({ type: "postgres", url, migrations: BEFORE });
  await old.initialize();
  await old.runMigrations({ transaction: "each" });
  await old.destroy();
  owner = await connectClient(url);
  await write("sent before");
  await mark("sent before", 3);
  await write("waits");
});

async function write(topic: string): Promise<void> {
  await owner.query(
    `insert into messaging.outbox (message_id, topic, shard) values (gen_random_uuid(), $1, 0)`,
    [topic],
  );
}

/** As the relay of the version before does it. */
async function mark(topic: string, offset: number): Promise<void> {
  await owner.query(
    `update messaging.outbox set sent_at = now(), kafka_partition = 0, kafka_offset = $2 where topic = $1`,
    [topic, offset],
  );
}

/** As the reconciler of the version before does it. */
async function unmark(topic: string): Promise<void> {
  await owner.query(
    `update messaging.outbox set sent_at = null, kafka_partition = null, kafka_offset = null where topic = $1`,
    [topic],
  );
}

/** The offset of each message, null where it waits. */
async function offsets(): Promise<Record<string, number | null>> {
  const { rows } = await owner.query<{ topic: string; waits: boolean; at: number | null }>(
    `select topic, waits, kafka_offset::integer as at from messaging.outbox_progress order by id`,
  );
  expect(rows.map(({ waits, at }) => waits === (at === null))).not.toContain(false);
  return Object.fromEntries(rows.map(({ topic, at }) => [topic, at]));
}

describe("after the migration to the tables of unsent and sent messages", () => {
  beforeEach(async () => {
    await migrate(url, { log: () => undefined });
  });

  it("what was sent has its place, and what waited waits", async () => {
    expect(await offsets()).toEqual({ "sent before": 3, waits: null });
  });

  it("what a relay of the version before sends is sent, and what it unmarks waits again", async () => {
    await write("written after");
    await mark("waits", 4);
    await mark("written after", 5);
    expect(await offsets()).toEqual({ "sent before": 3, waits: 4, "written after": 5 });
    await unmark("sent before");
    await unmark("written after");
    expect(await offsets()).toEqual({ "sent before": null, waits: 4, "written after": null });
    await mark("written after", 6);
    expect(await offsets()).toEqual({ "sent before": null, waits: 4, "written after": 6 });
  });

  it("a message that was sent stays so when its value is sealed with another key", async () => {
    await owner.query(
      `with sent as (delete from messaging.unsent_messages returning id, day)
        insert into messaging.sent_messages (id, day, kafka_partition, kafka_offset) select id, day, 0, 7 from sent`,
    );
    await owner.query("update messaging.outbox set value = 'sealed', sealed_key_id = 'new'");
    expect(await offsets()).toEqual({ "sent before": 3, waits: 7 });
  });
});
