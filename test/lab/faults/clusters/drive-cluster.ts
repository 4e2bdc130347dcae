import { setTimeout as pause } from "node:timers/promises";
import { call, textOf } from "../../../support/http/call.ts";
import type { OwnProduct } from "../../../support/product/product.ts";
import { checkHistory, type Breach } from "../check-history.ts";
import { createDraft, playOneOrder, repairRejections, type CustomerOptions } from "../customer.ts";
import { workAtDesk } from "../desk.ts";
import type { FaultAccount } from "../fault-accounts.ts";
import type { FaultReceiver } from "../fault-receiver.ts";
import { followFeed } from "../follow-feed.ts";
import {
  expectedDeliveries,
  query,
  readEventTopic,
  readLog,
  resolveDoubts,
  type SeenEvent,
} from "../history.ts";
import { randomFrom } from "../load.ts";
import { phoneNumbers } from "../phone-numbers.ts";
import { DriverRecord, RunProgress, waitUntilQuiet } from "../run-progress.ts";
import type { ClusterContext, ClusterReport } from "./cluster-scenario.ts";
import type { Cluster } from "./open-cluster.ts";

export interface Judged {
  readonly product: OwnProduct;
  readonly receiver: FaultReceiver;
  readonly record: DriverRecord;
  readonly accounts: readonly FaultAccount[];
  /** What a reader of each account's feed saw during the run. */
  readonly followed: readonly (readonly SeenEvent[])[];
}

/** Gathers the history of a quiet product and checks it. */
async function judgeCluster(judged: Judged): Promise<Record<string, readonly Breach[]>> {
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

const LOOK_MS = 50;

export interface WebhookWatch {
  /** The longest time without a webhook so far, in ms. */
  readonly longestSilenceMs: () => number;
  stop(): void;
}

/** Measures how long webhooks pause while load goes on. */
function watchWebhooks({ received }: FaultReceiver): WebhookWatch {
  let longestMs = 0;
  let before = received.length;
  let lastAt = performance.now();
  const look = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - lastAt);
    if (received.length === before) return;
    before = received.length;
    lastAt = now;
  };
  const timer = setInterval(look, LOOK_MS);
  return { longestSilenceMs: () => Math.round(longestMs), stop: () => clearInterval(timer) };
}

const ACCOUNTS = 2;
const WORKERS_PER_ACCOUNT = 2;
/** Pause between two orders of a worker, so that two cores carry the load and the restarts. */
const PACE_MS = 250;
/** Load before and after the disturbance. */
const CALM_MS = 5_000;

/** What a disturbance may look at while load goes on. */
export interface UnderLoad {
  readonly record: DriverRecord;
}

export interface Disturbance {
  readonly context: ClusterContext;
  readonly disturb: (underLoad: UnderLoad) => Promise<void>;
}

/** What load needs of a product. */
export type Driven = Pick<Cluster, "product" | "receiver" | "balancers">;

interface Load {
  readonly cluster: Driven;
  readonly record: DriverRecord;
  readonly progress: RunProgress;
  readonly random: () => number;
  readonly accounts: readonly FaultAccount[];
}

/** Plays orders while `disturb` runs, waits until everything is quiet, and checks the history. */
export async function driveCluster(
  cluster: Driven,
  { context, disturb }: Disturbance,
): Promise<ClusterReport> {
  const { product, receiver } = cluster;
  const load: Load = {
    cluster,
    record: new DriverRecord(),
    progress: new RunProgress(),
    random: randomFrom(context.seed),
    accounts: await Promise.all(
      Array.from({ length: ACCOUNTS }, (_, n) => openAccount(cluster, n)),
    ),
  };
  const { record, progress } = load;
  try {
    const { followers, others, customers } = startDrivers(load);
    await pause(CALM_MS);
    const watch = watchWebhooks(receiver);
    await progress.add(disturb({ record }));
    await pause(CALM_MS);
    watch.stop();
    progress.driven = true;
    await Promise.all(customers);
    context.log(`${record.acknowledged.length} changes acknowledged; waiting until all is quiet`);
    await waitUntilQuiet(product, { record, progress });
    progress.quiet = true;
    const followed = await Promise.all(followers);
    await Promise.all(others);
    const breaches = await judge(load, followed);
    return { figures: figuresOf(load, watch.longestSilenceMs()), breaches };
  } catch (error) {
    return progress.abandon(error);
  }
}

function startDrivers({ cluster, record, progress, random, accounts }: Load) {
  const { apiUrl, deskUrl, deskToken: token } = cluster.product;
  const isOver = (): boolean => progress.quiet || progress.failed;
  const isDone = (): boolean => progress.driven || progress.failed;
  const numbers = phoneNumbers();
  const drive = async (
    account: FaultAccount,
    step: (customer: CustomerOptions) => Promise<unknown>,
  ): Promise<void> => {
    const customer = { apiUrl, receiverUrl: cluster.receiver.url, numbers, random, record };
    while (!isDone()) {
      await step({ ...customer, ...account });
      await pause(PACE_MS);
    }
  };
  const workers = accounts.flatMap((one) => Array.from({ length: WORKERS_PER_ACCOUNT }, () => one));
  return {
    followers: accounts.map(({ key }) => progress.add(followFeed({ apiUrl, key }, isOver))),
    others: [
      progress.add(workAtDesk({ deskUrl, token, random, record }, isOver)),
      ...accounts.map(({ key }) => progress.add(repairRejections({ apiUrl, key, record }, isOver))),
    ],
    customers: [
      ...workers.map((account) => progress.add(drive(account, playOneOrder))),
      // Whole orders wait for what is disturbed; drafts need the API and its database alone.
      ...accounts.map((account) => progress.add(drive(account, createDraft))),
    ],
  };
}

async function openAccount(
  { product: { apiUrl, deskUrl, deskToken }, receiver }: Driven,
  n: number,
): Promise<FaultAccount> {
  const request = { method: "POST", key: deskToken, body: { name: `customer ${n}` } };
  const opened = await call(`${deskUrl}/desk/v1/accounts`, request);
  const key = textOf(opened, "api_key");
  const path = `/account/${n}`;
  const body = { url: receiver.url + path };
  const made = await call(`${apiUrl}/v2/webhook_endpoints`, { method: "POST", key, body });
  if (made.status !== 201) throw new Error(`creating an endpoint returned ${made.status}`);
  return { accountId: textOf(opened, "id"), key, endpoints: new Map([[path, null]]) };
}

function judge({ cluster, record, accounts }: Load, followed: readonly (readonly SeenEvent[])[]) {
  const { product, receiver } = cluster;
  return judgeCluster({ product, receiver, record, accounts, followed });
}

function figuresOf({ cluster, record }: Load, longestSilenceMs: number) {
  const { balancers, receiver } = cluster;
  return {
    acknowledged: record.acknowledged.length,
    orders: record.orders.size,
    requests: balancers.reduce((sum, one) => sum + one.requests(), 0),
    failed_requests: balancers.flatMap(({ failures }) => failures).length,
    webhooks: receiver.received.length,
    longest_webhook_silence_ms: longestSilenceMs,
  };
}
