import { setTimeout as pause } from "node:timers/promises";
import { dataOf } from "../../support/http/call.ts";
import type { OwnProduct } from "../../support/product/product.ts";
import { ask } from "./ask.ts";
import { askForChanges } from "./after-submission.ts";
import { checkAfterSubmission, readSentOrders } from "./check-after-submission.ts";
import { checkHistory, type Breach } from "./check-history.ts";
import { createOrder, playOneOrder, repairRejections, type CustomerOptions } from "./customer.ts";
import { settleRejections, workAtDesk } from "./desk.ts";
import { numbersNotActive, openAccount, type FaultAccount } from "./fault-accounts.ts";
import type { FaultReceiver } from "./fault-receiver.ts";
import { followFeed } from "./follow-feed.ts";
import {
  expectedDeliveries,
  query,
  readEventTopic,
  readLog,
  resolveDoubts,
  type SeenEvent,
} from "./history.ts";
import { randomFrom, type Load } from "./load.ts";
import { createPairs, phoneNumbers } from "./phone-numbers.ts";
import { DriverRecord, RunProgress, waitUntilQuiet } from "./run-progress.ts";
import { playTraffic, readLoggedTraffic, trafficLoggedOnce } from "./traffic.ts";

const EVERY_MS = 250;
const LOOK_MS = 20;
/** A canary that has not got through by then is given up: later ones show it. */
const GIVE_UP_MS = 20_000;
const REQUEST_MS = 2_000;

export interface CanaryOptions extends Omit<CustomerOptions, "random" | "comments"> {
  readonly receiver: FaultReceiver;
}

/**
 * Creates a draft every 250 ms and waits until its event is in the feed and its webhook is received. So it shows since
 * when the product has been working: API, database, relay, Kafka, event log and sender.
 */
class Canary {
  readonly #options: CanaryOptions;
  /** When the canaries that got through were started, the latest last. */
  readonly #through: { readonly startedAt: number; readonly at: number }[] = [];

  constructor(options: CanaryOptions) {
    this.#options = options;
  }

  /** Sends canaries until `isOver`. @throws the first error of one, such as a refusal of its request */
  async run(isOver: () => boolean): Promise<void> {
    const sent = new Set<Promise<void>>();
    const errors: unknown[] = [];
    while (!isOver() && errors.length === 0) {
      const one: Promise<void> = this.#send()
        .catch((error: unknown) => void errors.push(error))
        .finally(() => sent.delete(one));
      sent.add(one);
      await pause(EVERY_MS);
    }
    await Promise.all(sent);
    if (errors.length > 0) throw errors[0];
  }

  /** How long after a moment of `performance.now()` the first canary got through that was started since; null: none yet. */
  wellAfterMs(moment: number): number | null {
    const since = this.#through.filter(({ startedAt }) => startedAt >= moment).map(({ at }) => at);
    return since.length === 0 ? null : Math.min(...since) - moment;
  }

  async #send(): Promise<void> {
    const { numbers, receiver, receiverUrl, apiUrl, key } = this.#options;
    const startedAt = performance.now();
    const number = numbers.next().value;
    const ownPath = `/canary/${number.slice(1)}`;
    const created = await createOrder({ ...this.#options, receiverUrl }, [number], ownPath);
    if (created === null) {
      const { record, accountId } = this.#options;
      record.doubtfulNumbers.set(number, { accountId, ownPath });
      return;
    }
    const feed = `${apiUrl}/v2/porting/events?porting_order_id=${created.orderId}`;
    while (performance.now() - startedAt < GIVE_UP_MS) {
      if (receiver.has(ownPath)) {
        const found = await ask(feed, { key, timeoutMs: REQUEST_MS });
        if (found?.status === 200 && dataOf(found).length > 0) {
          this.#through.push({ startedAt, at: performance.now() });
          return;
        }
      }
      await pause(LOOK_MS);
    }
  }
}

export interface FaultReport {
  readonly acknowledged: number;
  readonly doubts: number;
  readonly orders: number;
  readonly calls: number;
  readonly portOuts: number;
  readonly changed: number;
  readonly split: number;
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
async function reportOf(
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
    changed: record.changes.length,
    split: record.splits.length,
    events: feed.length,
    longestWait: record.longestWait,
    topicRepeats: topic.length - log.length,
    extraAttempts: receiver.received.length - expected.length,
    breaches: {
      ...breaches,
      trafficLoggedOnce: trafficLoggedOnce(record, await readLoggedTraffic(product.databaseUrl)),
      afterSubmission: checkAfterSubmission(record, await readSentOrders(product, record)),
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

export interface FaultRunOptions {
  readonly product: OwnProduct;
  readonly receiver: FaultReceiver;
  readonly seed: number;
  /** The load lasts until this many changes are acknowledged and the faults are over. */
  readonly changes: number;
  readonly load: Load;
  /** Injects the faults, while the product is under load. */
  readonly disturb: (run: FaultRun) => Promise<void>;
  readonly log: (line: string) => void;
}

/** What a fault may look at, and add to, while the product is under load. */
export interface FaultRun {
  readonly product: OwnProduct;
  readonly record: DriverRecord;
  readonly progress: RunProgress;
  readonly canary: Canary;
  readonly random: () => number;
  /** The accounts whose feeds and webhooks are checked. */
  readonly accounts: FaultAccount[];
  readonly numbers: Generator<string, never>;
}

/** Each change may take this long to be handled at the end of a run. */
const QUIET_MS_PER_CHANGE = 6;
const LEAST_QUIET_MS = 300_000;

/** Drives the product while faults are injected, waits until all is quiet, and checks the whole history. */
export async function runFaults(options: FaultRunOptions): Promise<FaultReport> {
  const { product, receiver, log } = options;
  receiver.forget();
  const run = await prepareRun(options);
  const { progress, record } = run;
  try {
    const helpers = startHelpers(run);
    await Promise.all(startDrivers(run, options));
    log(`load is over with ${record.acknowledged.length} changes; waiting until all is quiet`);
    const quietMs = Math.max(LEAST_QUIET_MS, record.acknowledged.length * QUIET_MS_PER_CHANGE);
    await waitUntilQuiet(product, run, quietMs);
    progress.quiet = true;
    const followed = await Promise.all(helpers.followers);
    await Promise.all(helpers.others);
    log("quiet; checking the history");
    return await reportOf(run, { receiver, followed: new Map(followed) });
  } catch (error) {
    return progress.abandon(error);
  }
}

async function prepareRun({ product, receiver, seed, load }: FaultRunOptions): Promise<FaultRun> {
  const [record, numbers] = [new DriverRecord(), phoneNumbers()];
  const accounts = await Promise.all(
    Array.from({ length: load.accounts }, (_, n) => openAccount(product, receiver, n)),
  );
  const [first] = accounts;
  if (first === undefined) throw new TypeError("a run needs an account");
  const place = { apiUrl: product.apiUrl, receiverUrl: receiver.url };
  const canary = new Canary({ ...place, ...first, receiver, numbers, record });
  const progress = new RunProgress();
  return { product, record, progress, canary, random: randomFrom(seed), accounts, numbers };
}

/** Starts the drivers that run until all is quiet: the feeds' readers, the desk, and the repair of rejections. */
function startHelpers({ product, progress, record, random, accounts }: FaultRun) {
  const { apiUrl, deskUrl, deskToken: token } = product;
  const isOver = (): boolean => progress.quiet || progress.failed;
  return {
    followers: accounts.map(({ accountId, key }) =>
      progress.add(followFeed({ apiUrl, key }, isOver).then((feed) => [accountId, feed] as const)),
    ),
    others: [
      progress.add(workAtDesk({ deskUrl, token, random, record }, isOver)),
      progress.add(settleRejections({ deskUrl, token, random, record }, isOver)),
      ...accounts.flatMap(({ key, accountId }) => [
        progress.add(repairRejections({ apiUrl, key, record }, isOver)),
        progress.add(askForChanges({ apiUrl, key, accountId, random, record }, isOver)),
      ]),
    ],
  };
}

/** Starts the drivers that create load, and the faults. */
function startDrivers(run: FaultRun, options: FaultRunOptions): Promise<void>[] {
  const { product, progress, record, random, accounts, canary } = run;
  const { apiUrl, deskUrl, deskToken: token } = product;
  const isDone = (): boolean =>
    progress.failed || (progress.driven && record.acknowledged.length >= options.changes);
  const faults = options.disturb(run).then(() => {
    progress.driven = true;
  });
  const callers = (options.load.traffic ? accounts : []).map(({ key }) =>
    playTraffic({ apiUrl, deskUrl, key, token, random, record }, isDone),
  );
  const drivers = [faults, canary.run(isDone), ...callers, ...startCustomers(run, options, isDone)];
  return drivers.map((one) => progress.add(one));
}

function startCustomers(
  { product, record, random, accounts, numbers }: FaultRun,
  { receiver, load }: FaultRunOptions,
  isDone: () => boolean,
): Promise<void>[] {
  const { apiUrl, deskUrl, deskToken: token } = product;
  const place = { apiUrl, receiverUrl: receiver.url };
  const pairs = createPairs();
  const comments = load.comments > 0 ? { deskUrl, token, perOrder: load.comments } : undefined;
  return accounts.flatMap((account) =>
    Array.from({ length: load.workersPerAccount }, async () => {
      while (!isDone()) {
        await playOneOrder({ ...place, ...account, numbers, pairs, random, record, comments });
        await new Promise((resolve) => setTimeout(resolve, load.paceMs));
      }
    }),
  );
}
