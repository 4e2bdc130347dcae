import { setTimeout as pause } from "node:timers/promises";
import type { Admin } from "kafkajs";
import { SERVICE_NAMES } from "../../../infra/start/supervisor/service-table.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { createKafka } from "../../../services/platform/kafka/kafka-client.ts";
import { createLogger } from "../../../services/platform/logger.ts";
import type { OwnProduct } from "../../support/product/product.ts";
import { adminAccess } from "../../support/stack/kafka-access.ts";
import { query } from "./history.ts";
import type { Scenario } from "./scenario.ts";

/** Every table that a replay could change, except those of delivery attempts and counters. */
const TABLES = [
  "orders.porting_orders",
  "orders.order_numbers",
  "orders.numbers",
  "orders.former_owners",
  "orders.requirements",
  "orders.comments",
  "orders.port_outs",
  "orders.timeline",
  "orders.deadlines",
  "reviews.cases",
  "reviews.decisions",
  "carriers.requests",
  "carriers.updates",
  "carriers.call_events",
  "events.log",
  "events.feed_counters",
  "webhooks.deliveries",
  "messaging.dead_letters",
] as const;

const CATCH_UP_MS = 900_000;
const STOP_GRACE_MS = 15_000;

/** Row count and content hash of each table. */
async function fingerprint(databaseUrl: string): Promise<Map<string, string>> {
  const parts = TABLES.map(
    (table) => `select '${table}' as name, count(*) || ':' ||
      coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as print from ${table} t`,
  );
  const rows = await query<{ name: string; print: string }>(databaseUrl, parts.join(" union all "));
  return new Map(rows.map(({ name, print }) => [name, print]));
}

interface GroupEnd {
  readonly group: string;
  readonly topics: string[];
}

async function groupsOf(admin: Admin, prefix: string): Promise<GroupEnd[]> {
  const { groups } = await admin.listGroups();
  const ours = groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(prefix));
  const described = await Promise.all(
    ours.map(async (group) => {
      const offsets = await admin.fetchOffsets({ groupId: group });
      return { group, topics: offsets.map(({ topic }) => topic) };
    }),
  );
  return described.filter(({ topics }) => topics.length > 0);
}

async function isCaughtUp(admin: Admin, { group, topics }: GroupEnd): Promise<boolean> {
  const committed = await admin.fetchOffsets({ groupId: group, topics });
  const behind = await Promise.all(
    committed.map(async ({ topic, partitions }) => {
      const ends = await admin.fetchTopicOffsets(topic);
      return ends.some(({ partition, high, low }) => {
        const at = partitions.find((one) => one.partition === partition)?.offset ?? "-1";
        return Number(high) > Number(low) && Number(at) < Number(high);
      });
    }),
  );
  return behind.every((one) => !one);
}

/**
 * Stops every service, deletes every group's offsets, starts all again and waits until everything has been read again.
 * Returns the tables whose content changed.
 */
export async function replayEverything(product: OwnProduct): Promise<string[]> {
  const { supervisor, topicPrefix, databaseUrl } = product;
  const kafka = createKafka({
    ...adminAccess(product.kafkaBrokers),
    clientId: "replay",
    log: createLogger("replay", "silent"),
  });
  const admin = kafka.admin();
  await admin.connect();
  try {
    const groups = await groupsOf(admin, topicPrefix);
    await supervisor.stop(STOP_GRACE_MS);
    const before = await fingerprint(databaseUrl);
    await until(
      async () => {
        const { groups: left } = await admin.describeGroups(groups.map(({ group }) => group));
        return left.every(({ members }) => members.length === 0);
      },
      { timeoutMs: 60_000, what: "the groups to be empty", everyMs: 250 },
    );
    await admin.deleteGroups(groups.map(({ group }) => group));
    for (const name of SERVICE_NAMES) supervisor.start(name);
    await supervisor.whenReady();
    await until(
      async () => (await Promise.all(groups.map((one) => isCaughtUp(admin, one)))).every(Boolean),
      { timeoutMs: CATCH_UP_MS, what: "all groups to have read everything again", everyMs: 500 },
    );
    const after = await fingerprint(databaseUrl);
    return TABLES.filter((table) => before.get(table) !== after.get(table)).map(
      (table) => `${table}: ${before.get(table) ?? ""} became ${after.get(table) ?? ""}`,
    );
  } finally {
    await admin.disconnect();
  }
}

const LOAD_MS = 15_000;

export const replay: Scenario = {
  name: "replay",
  what: "every group's offsets are deleted, and every topic is read again from its start",
  faults: ["F17", "F20"],
  promises: ["P2", "P3"],
  seconds: 50,
  isQuick: false,
  isReplayed: true,
  run: async () => {
    await pause(LOAD_MS);
    return [];
  },
};
