import { call, dataOf, textOf } from "../support/http/call.ts";
import type { Product } from "../support/product/product.ts";
import { z } from "zod";
import { checkHistory, type Breach } from "./check-history.ts";
import { trafficLoggedOnce } from "./check-traffic.ts";
import { RunProgress } from "./run-progress.ts";
import { playOneOrder } from "./customer.ts";
import { workAtDesk } from "./desk.ts";
import { repairRejections } from "./repairs.ts";
import { DriverRecord } from "./driver-record.ts";
import type { FaultReceiver } from "./fault-receiver.ts";
import { followFeed } from "./follow-feed.ts";
import {
  expectedDeliveries,
  query,
  readEventTopic,
  readLog,
  resolveDoubts,
  type FaultAccount,
} from "./gather.ts";
import type { SeenEvent } from "./history.ts";
import { killAtRandom } from "./killer.ts";
import { phoneNumbers } from "./phone-numbers.ts";
import { randomFrom } from "./random.ts";
import { playTraffic, readLoggedTraffic } from "./traffic.ts";
import { waitUntilQuiet } from "./wait-until-quiet.ts";

export interface FaultRunOptions {
  readonly product: Product;
  readonly receiver: FaultReceiver;
  readonly seed: number;
  /** The run lasts until this many changes are acknowledged and `kills` kills are done. */
  readonly changes: number;
  readonly kills: number;
  readonly pauseMs: readonly [least: number, most: number];
  readonly killBroker?: () => Promise<void>;
  /** Whether active numbers also get calls and port-outs. */
  readonly traffic: boolean;
  readonly log: (line: string) => void;
}

export interface FaultReport {
  readonly acknowledged: number;
  readonly doubts: number;
  readonly orders: number;
  readonly calls: number;
  readonly portOuts: number;
  readonly events: number;
  readonly kills: Readonly<Record<string, number>>;
  readonly topicRepeats: number;
  readonly extraAttempts: number;
  readonly breaches: Readonly<Record<string, readonly Breach[]>>;
}

const ACCOUNTS = 3;
const WORKERS_PER_ACCOUNT = 3;
/** Pause between two orders of a worker, so that the load lasts as long as the kills. */
const PACE_MS = 200;

/** Drives the product while its processes are killed, waits until all is quiet, and checks the whole history. */
export async function runFaults(options: FaultRunOptions): Promise<FaultReport> {
  const { product, receiver, log } = options;
  const run: Run = {
    options,
    progress: new RunProgress(),
    record: new DriverRecord(),
    random: randomFrom(options.seed),
    kills: {},
    accounts: await Promise.all(
      Array.from({ length: ACCOUNTS }, (_, n) => openAccount(product, receiver, n)),
    ),
  };
  const { progress } = run;
  try {
    const helpers = startHelpers(run);
    await Promise.all(startDrivers(run));
    log("load is over; waiting until all is quiet");
    await waitUntilQuiet(product, run);
    progress.quiet = true;
    const followed = await Promise.all(helpers.followers);
    await Promise.all(helpers.others);
    log("quiet; checking the history");
    return await report(run, followed);
  } catch (error) {
    return progress.abandon(error);
  }
}

interface Run {
  readonly options: FaultRunOptions;
  readonly progress: RunProgress;
  readonly record: DriverRecord;
  readonly random: () => number;
  readonly kills: Record<string, number>;
  readonly accounts: readonly FaultAccount[];
}

/** Starts the drivers that run until all is quiet: the feeds' readers, the desk, and the repair of rejections. */
function startHelpers({ options: { product }, progress, record, random, accounts }: Run) {
  const { apiUrl, deskUrl, deskToken: token } = product;
  const isOver = (): boolean => progress.quiet || progress.failed;
  return {
    followers: accounts.map(({ key }) => progress.add(followFeed({ apiUrl, key }, isOver))),
    others: [
      progress.add(workAtDesk({ deskUrl, token, random, record }, isOver)),
      ...accounts.map(({ key }) => progress.add(repairRejections({ apiUrl, key, record }, isOver))),
    ],
  };
}

/** Starts the drivers that create load, and the killer. */
function startDrivers(run: Run): Promise<void>[] {
  const { options, progress, record, random, kills, accounts } = run;
  const { apiUrl, deskUrl, deskToken: token, supervisor } = options.product;
  const isDone = (): boolean =>
    progress.failed || (progress.driven && record.acknowledged.length >= options.changes);
  const killing = killAtRandom({
    supervisor,
    kills: options.kills,
    pauseMs: options.pauseMs,
    random,
    ...(options.killBroker === undefined ? {} : { killBroker: options.killBroker }),
    isOver: () => progress.failed,
    onKill: (name) => {
      kills[name] = (kills[name] ?? 0) + 1;
      options.log(`killed ${name}; ${record.acknowledged.length} changes acknowledged`);
    },
  }).then(() => {
    progress.driven = true;
  });
  const callers = (options.traffic ? accounts : []).map(({ key }) =>
    playTraffic({ apiUrl, deskUrl, key, token, random, record }, isDone),
  );
  return [killing, ...callers, ...startCustomers(run, isDone)].map((one) => progress.add(one));
}

function startCustomers(
  { options: { product, receiver }, record, random, accounts }: Run,
  isDone: () => boolean,
): Promise<void>[] {
  const numbers = phoneNumbers();
  const place = { apiUrl: product.apiUrl, receiverUrl: receiver.url };
  return accounts.flatMap((account) =>
    Array.from({ length: WORKERS_PER_ACCOUNT }, async () => {
      while (!isDone()) {
        await playOneOrder({ ...place, ...account, numbers, random, record });
        await new Promise((resolve) => setTimeout(resolve, PACE_MS));
      }
    }),
  );
}

async function openAccount(
  { deskUrl, deskToken, apiUrl }: Product,
  receiver: FaultReceiver,
  n: number,
): Promise<FaultAccount> {
  const opened = await call(`${deskUrl}/desk/v1/accounts`, {
    method: "POST",
    key: deskToken,
    body: { name: `customer ${n}` },
  });
  const key = textOf(opened, "api_key");
  const endpoints = new Map<string, ReadonlySet<string> | null>([
    [`/account/${n}/all`, null],
    [`/account/${n}/some`, new Set(["number.activated", "porting_order.deleted"])],
  ]);
  for (const [path, types] of endpoints) {
    const body = { url: receiver.url + path, enabled_events: [...(types ?? [])] };
    const made = await call(`${apiUrl}/v2/webhook_endpoints`, { method: "POST", key, body });
    if (made.status !== 201) throw new Error(`creating an endpoint returned ${made.status}`);
  }
  return { accountId: textOf(opened, "id"), key, endpoints };
}

async function finalStatuses(product: Product): Promise<Map<string, string>> {
  const rows = await query<{ id: string; status: string }>(
    product.databaseUrl,
    "select id, status from orders.porting_orders",
  );
  return new Map(rows.map(({ id, status }) => [id, status]));
}

async function report(
  { options: { product, receiver }, accounts, record, kills }: Run,
  followed: readonly (readonly SeenEvent[])[],
): Promise<FaultReport> {
  await resolveDoubts(product, record);
  const readers = accounts.map(({ key }) => ({ apiUrl: product.apiUrl, key }));
  const feeds = await Promise.all(readers.map((reader) => followFeed(reader, () => true)));
  const feed = feeds.flat();
  const [loggedEvents, topic] = await Promise.all([readLog(product), readEventTopic(product)]);
  const rows = await query<{ event_id: string; status: string }>(
    product.databaseUrl,
    "select event_id, status from webhooks.deliveries",
  );
  const perAccount = accounts.flatMap((account, n) => {
    const own = feeds[n];
    return own === undefined ? [] : [{ account, feed: own }];
  });
  const expected = expectedDeliveries(perAccount, record);
  const traffic = trafficLoggedOnce(record, await readLoggedTraffic(product.databaseUrl));
  const breaches = checkHistory({
    acknowledged: record.acknowledged,
    knownOrders: new Set(record.orders.keys()),
    submittedOrders: record.submitted,
    cancelAsked: record.cancelAsked,
    finalStatus: await finalStatuses(product),
    feed,
    followed: followed.flat().map(({ id }) => id),
    followedFeed: feed.map(({ id }) => id),
    log: loggedEvents,
    topic,
    expected,
    received: receiver.received,
    deliveryRows: rows.map(({ event_id: eventId, status }) => ({ eventId, status })),
  });
  return {
    acknowledged: record.acknowledged.length,
    doubts: record.doubts,
    orders: record.orders.size,
    calls: record.calls.size,
    portOuts: record.portOuts.size,
    events: feed.length,
    kills,
    topicRepeats: topic.length - loggedEvents.length,
    extraAttempts: receiver.received.length - expected.length,
    breaches: {
      ...breaches,
      trafficLoggedOnce: traffic,
      numbersActive: await numbersNotActive(product, record, accounts),
    },
  };
}

/** Numbers of completed orders that no account's list of numbers has. */
async function numbersNotActive(
  { apiUrl, databaseUrl }: Product,
  record: DriverRecord,
  accounts: readonly FaultAccount[],
): Promise<Breach[]> {
  const rows = await query<{ id: string; phone_number: string }>(
    databaseUrl,
    `select n.order_id as id, n.phone_number from orders.order_numbers n
      join orders.porting_orders o on o.id = n.order_id where o.status = 'completed'`,
  );
  const wanted = rows.filter(({ id }) => record.submitted.has(id));
  const live = new Set<string>();
  for (const { key } of accounts) {
    for (let after = "", more = true; more;) {
      const page = await call(`${apiUrl}/v2/numbers?limit=250${after}`, { key });
      const numbers = dataOf(page).map((one) => z.string().parse(one["phone_number"]));
      for (const number of numbers) live.add(number);
      after = `&starting_after=${encodeURIComponent(numbers.at(-1) ?? "")}`;
      more = page.body?.["has_more"] === true;
    }
  }
  return wanted
    .filter(({ phone_number: number }) => !live.has(number))
    .map(({ id }) => `not live: the number of order ${id}`);
}
