import { checkHistory, type Breach } from "./check-history.ts";
import { trafficLoggedOnce } from "./check-traffic.ts";
import { numbersNotActive } from "./fault-accounts.ts";
import type { FaultReceiver } from "./fault-receiver.ts";
import type { FaultRun } from "./fault-run.ts";
import { followFeed } from "./follow-feed.ts";
import { expectedDeliveries, query, readEventTopic, readLog, resolveDoubts } from "./gather.ts";
import type { SeenEvent } from "./history.ts";
import { readLoggedTraffic } from "./traffic.ts";

export interface FaultReport {
  readonly acknowledged: number;
  readonly doubts: number;
  readonly orders: number;
  readonly calls: number;
  readonly portOuts: number;
  readonly events: number;
  readonly topicRepeats: number;
  readonly longestWait: { readonly ms: number; readonly what: string };
  /** Webhooks that were sent more than once. */
  readonly extraAttempts: number;
  readonly breaches: Readonly<Record<string, readonly Breach[]>>;
}

export interface Seen {
  readonly receiver: FaultReceiver;
  /** What a reader saw who paged forward throughout the run, by account. */
  readonly followed: ReadonlyMap<string, readonly SeenEvent[]>;
}

/** Gathers all that a quiet product holds, and checks it against what the drivers did. */
export async function reportOf(
  { product, accounts, record }: FaultRun,
  { receiver, followed }: Seen,
): Promise<FaultReport> {
  await resolveDoubts(product, record);
  const { apiUrl } = product;
  const feeds = await Promise.all(
    accounts.map(async (account) => {
      const feed = await followFeed({ apiUrl, key: account.key }, () => true);
      return { account, feed };
    }),
  );
  const feed = feeds.flatMap((one) => one.feed);
  const read = feeds.filter(({ account }) => followed.has(account.accountId));
  const [log, topic] = [await readLog(product), await readEventTopic(product)];
  const expected = expectedDeliveries(feeds, record);
  const breaches = checkHistory({
    acknowledged: record.acknowledged,
    knownOrders: new Set(record.orders.keys()),
    submittedOrders: record.submitted,
    cancelAsked: record.cancelAsked,
    finalStatus: await finalStatuses(product.databaseUrl),
    feed,
    followed: read.flatMap(({ account }) => idsOf(followed.get(account.accountId) ?? [])),
    followedFeed: read.flatMap((one) => idsOf(one.feed)),
    log,
    topic,
    expected,
    received: receiver.received,
    deliveryRows: await deliveryRows(product.databaseUrl),
  });
  return {
    acknowledged: record.acknowledged.length,
    doubts: record.doubts,
    orders: record.orders.size,
    calls: record.calls.size,
    portOuts: record.portOuts.size,
    events: feed.length,
    longestWait: record.longestWait,
    topicRepeats: topic.length - log.length,
    extraAttempts: receiver.received.length - expected.length,
    breaches: {
      ...breaches,
      trafficLoggedOnce: trafficLoggedOnce(record, await readLoggedTraffic(product.databaseUrl)),
      numbersActive: await numbersNotActive(product, record, accounts),
      deadLetters: await unexpectedDeadLetters(product.databaseUrl, record),
    },
  };
}

const idsOf = (events: readonly SeenEvent[]): string[] => events.map(({ id }) => id);

async function finalStatuses(databaseUrl: string): Promise<Map<string, string>> {
  const rows = await query<{ id: string; status: string }>(
    databaseUrl,
    "select id, status from orders.porting_orders",
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}

async function deliveryRows(databaseUrl: string) {
  const rows = await query<{ event_id: string; status: string }>(
    databaseUrl,
    "select event_id, status from webhooks.deliveries",
  );
  return rows.map(({ event_id: eventId, status }) => ({ eventId, status }));
}

/** Messages that were dead-lettered although nobody sent a bad one. */
async function unexpectedDeadLetters(
  databaseUrl: string,
  { poisoned }: FaultRun["record"],
): Promise<Breach[]> {
  const rows = await query<{ topic: string; place: string; error_code: string }>(
    databaseUrl,
    `select topic, kafka_partition || '/' || kafka_offset as place, error_code from messaging.dead_letters`,
  );
  const places = new Set(rows.map(({ topic, place }) => `${topic} ${place}`));
  return [
    ...rows
      .filter(({ topic, place }) => !poisoned.has(`${topic} ${place}`))
      .map((row) => `dead letter: ${row.topic} at ${row.place}: ${row.error_code}`),
    ...[...poisoned].filter((one) => !places.has(one)).map((one) => `not dead-lettered: ${one}`),
  ];
}
