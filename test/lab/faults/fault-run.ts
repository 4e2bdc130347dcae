import type { OwnProduct } from "../../support/product/product.ts";
import { Canary } from "./canary.ts";
import { playOneOrder } from "./customer.ts";
import { workAtDesk } from "./desk.ts";
import { DriverRecord } from "./driver-record.ts";
import { openAccount, type FaultAccount } from "./fault-accounts.ts";
import type { FaultReceiver } from "./fault-receiver.ts";
import { reportOf, type FaultReport } from "./fault-report.ts";
import { followFeed } from "./follow-feed.ts";
import type { Load } from "./load.ts";
import { phoneNumbers } from "./phone-numbers.ts";
import { randomFrom } from "./random.ts";
import { repairRejections } from "./repairs.ts";
import { RunProgress } from "./run-progress.ts";
import { playTraffic } from "./traffic.ts";
import { waitUntilQuiet } from "./wait-until-quiet.ts";

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
      ...accounts.map(({ key }) => progress.add(repairRejections({ apiUrl, key, record }, isOver))),
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
  const comments = load.comments > 0 ? { deskUrl, token, perOrder: load.comments } : undefined;
  return accounts.flatMap((account) =>
    Array.from({ length: load.workersPerAccount }, async () => {
      while (!isDone()) {
        await playOneOrder({ ...place, ...account, numbers, random, record, comments });
        await new Promise((resolve) => setTimeout(resolve, load.paceMs));
      }
    }),
  );
}
