/** @tier all */
import { expect, it } from "@jest/globals";
import { migrate } from "../../../infra/migrate/migrate.ts";
import { openOutboxStack } from "../../support/stack/outbox-stack.ts";
import { readTopic } from "../../support/stack/topic-reader.ts";
import { createDatabaseOf03 } from "../../support/upgrade/database-of-0.3.ts";

it("what waited in the outbox of 0.3 is sent after the upgrade, and nothing else", async () => {
  const { url } = await createDatabaseOf03();
  const stack = await openOutboxStack({ url });
  const topic = await stack.makeTopic();
  /** As a service of 0.3 does it, also while the upgrade goes on. */
  const write = (numbers: readonly number[]) =>
    stack.pool.query(
      `insert into messaging.outbox (message_id, topic, key, shard, value)
        select gen_random_uuid(), $1, 'key'::bytea, 0, convert_to(n::text, 'UTF8')
        from unnest($2::integer[]) with ordinality u (n, nth) order by nth`,
      [topic, numbers],
    );
  await write([0, 1, 2, 3, 4]);
  // By the relay of 0.3, and by the one before that.
  await stack.pool.query(
    `with sent as (delete from messaging.unsent_messages u using messaging.outbox o
        where o.id = u.id and o.value in ('0', '3') returning u.id, u.day)
      insert into messaging.sent_messages (id, day, kafka_partition, kafka_offset) select id, day, 0, 7 from sent`,
  );
  await stack.pool.query(
    "update messaging.outbox set sent_at = now(), kafka_partition = 0, kafka_offset = 8 where value = '1'",
  );
  await migrate(url, { log: () => undefined });
  await write([5]);
  const relay = await stack.startRelay();
  try {
    await stack.allSent();
  } finally {
    await relay.stop();
  }
  const values = (await readTopic(stack.kafka, topic)).map(({ value }) => String(value));
  expect(values).toEqual(["2", "4", "5"]);
}, 120_000);
