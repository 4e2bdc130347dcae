import type { OwnProduct } from "../../../support/product/product.ts";
import { checkHistory, type Breach } from "../check-history.ts";
import type { DriverRecord } from "../driver-record.ts";
import type { FaultReceiver } from "../fault-receiver.ts";
import { followFeed } from "../follow-feed.ts";
import type { FaultAccount } from "../fault-accounts.ts";
import { expectedDeliveries, query, readEventTopic, readLog, resolveDoubts } from "../gather.ts";
import type { SeenEvent } from "../history.ts";

export interface Judged {
  readonly product: OwnProduct;
  readonly receiver: FaultReceiver;
  readonly record: DriverRecord;
  readonly accounts: readonly FaultAccount[];
  /** What a reader of each account's feed saw during the run. */
  readonly followed: readonly (readonly SeenEvent[])[];
}

/** Gathers the history of a quiet product and checks it. */
export async function judgeCluster(judged: Judged): Promise<Record<string, readonly Breach[]>> {
  const { product, receiver, record, accounts, followed } = judged;
  await resolveDoubts(product, record);
  const { apiUrl, databaseUrl } = product;
  const feeds = await Promise.all(
    accounts.map(({ key }) => followFeed({ apiUrl, key }, () => true)),
  );
  const feed = feeds.flat();
  const statuses = await query<{ id: string; status: string }>(
    databaseUrl,
    "select id, status from orders.porting_orders",
  );
  const deliveries = await query<{ event_id: string; status: string }>(
    databaseUrl,
    "select event_id, status from webhooks.deliveries",
  );
  const perAccount = accounts.map((account, n) => ({ account, feed: feeds[n] ?? [] }));
  return checkHistory({
    acknowledged: record.acknowledged,
    knownOrders: new Set(record.orders.keys()),
    submittedOrders: record.submitted,
    cancelAsked: record.cancelAsked,
    finalStatus: new Map(statuses.map(({ id, status }) => [id, status])),
    feed,
    followed: followed.flat().map(({ id }) => id),
    followedFeed: feed.map(({ id }) => id),
    log: await readLog(product),
    topic: await readEventTopic(product),
    expected: expectedDeliveries(perAccount, record),
    received: receiver.received,
    deliveryRows: deliveries.map(({ event_id: eventId, status }) => ({ eventId, status })),
  });
}
