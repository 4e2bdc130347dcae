import { setTimeout as pause } from "node:timers/promises";
import type { OwnProduct } from "../../support/product/product.ts";
import { query, type AcknowledgedChange } from "./history.ts";
import type { Ending } from "./phone-numbers.ts";
import { readLoggedTraffic } from "./traffic.ts";

/** The progress of a fault run. Every driver checks it to know whether to continue; all of them end when one fails. */
export class RunProgress {
  /** No driver starts anything new. */
  driven = false;
  /** Everything that was started has ended. */
  quiet = false;
  #failure: { readonly error: unknown } | null = null;
  readonly #drivers: Promise<unknown>[] = [];

  /** A driver that fails ends the others too. */
  add<T>(driver: Promise<T>): Promise<T> {
    const watched = driver.catch((error: unknown) => {
      this.#failure ??= { error };
      throw error;
    });
    this.#drivers.push(watched.catch(() => undefined));
    return watched;
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  /** Throws the first failure. */
  check(): void {
    if (this.#failure !== null) throw this.#failure.error;
  }

  /** Waits for every driver to end, then throws the first failure: a driver's, else `error`. */
  async abandon(error: unknown): Promise<never> {
    this.#failure ??= { error };
    await Promise.all(this.#drivers);
    throw this.#failure.error;
  }
}

export interface DrivenOrder {
  readonly orderId: string;
  readonly accountId: string;
  /** The order's own path at the receiver, where it has a webhook_url. */
  readonly ownPath: string | null;
}

/** An order that is changed or split after its submission. */
export interface PairedOrder {
  readonly accountId: string;
  readonly ending: Ending;
  readonly numbers: readonly string[];
}

/** A change that a customer was answered to have asked the carrier for. */
export interface AskedChange {
  readonly id: string;
  readonly orderId: string;
  readonly removed: readonly string[];
  readonly foc: string | null;
  /** Whether it is the confirmed date, which the carrier is not asked for. */
  readonly isConfirmation: boolean;
  /** What it has to end as, unless the order is cancelled; `ended`: any of them. */
  wanted: "accepted" | "refused" | "withdrawn" | "ended";
}

/** What the drivers did, and the answers that they got. */
export class DriverRecord {
  readonly acknowledged: AcknowledgedChange[] = [];
  readonly orders = new Map<string, DrivenOrder>();
  readonly submitted = new Set<string>();
  /** Orders that the customer asked to cancel, whatever the answer. */
  readonly cancelAsked = new Set<string>();
  readonly pairs = new Map<string, PairedOrder>();
  readonly changes: AskedChange[] = [];
  /** The orders that the desk split from others, each with the numbers that it got. */
  readonly splits: {
    readonly from: string;
    readonly to: string;
    readonly moved: readonly string[];
  }[] = [];
  /** Numbers of unanswered creations, whose order may exist. */
  readonly doubtfulNumbers = new Map<string, { accountId: string; ownPath: string | null }>();
  /** Ids of calls that the desk acknowledged. */
  readonly calls = new Set<string>();
  /** Numbers that another carrier requested. */
  readonly portOuts = new Set<string>();
  /** Messages that can never be handled, as `topic partition/offset`. */
  readonly poisoned = new Set<string>();
  doubts = 0;
  /** The longest time that a customer waited for work of the services behind the API. */
  longestWait = { ms: 0, what: "" };

  waited(what: string, sinceMs: number): void {
    const ms = performance.now() - sinceMs;
    if (ms > this.longestWait.ms) this.longestWait = { ms, what };
  }
}

const QUIET_MS = 300_000;
const POLL_MS = 500;
const SHOWN = 5;

/** Each kind of unfinished work with a query that names it. */
const UNDER_WAY = {
  "order not ended": `select id || ' (' || status || ')' from orders.porting_orders
    where status not in ('draft', 'completed', 'completed_partial', 'cancelled') and deleted_at is null`,
  "port-out not ended": `select id || ' (' || status || ', ' || port_out_ref || ')' from orders.port_outs
    where status <> 'ported_out'`,
  "message not sent": `select topic || ' ' || message_id from messaging.outbox_progress where waits`,
  "delivery not made": `select id || ' (' || status || ')' from webhooks.deliveries
    where status in ('pending', 'retrying')`,
  "event not handled by the sender": `select o.message_id::text from messaging.outbox o where o.topic like '%porting.events'
    and not exists (select from messaging.inbox i
      where i.consumer = 'webhook-sender' and i.message_id = o.message_id)`,
} as const;

const DEAD_LETTERS = `select topic || ' at ' || kafka_partition || '/' || kafka_offset || ': ' || error_code
  from messaging.dead_letters where state = 'parked'`;

/** The run to wait for. */
export interface Driven {
  readonly record: DriverRecord;
  readonly progress: RunProgress;
}

/** Waits until no order, message, delivery or event is under way. @throws at the deadline, naming those left */
export async function waitUntilQuiet(
  { databaseUrl }: Pick<OwnProduct, "databaseUrl">,
  { record, progress }: Driven,
  quietMs: number = QUIET_MS,
): Promise<void> {
  const deadline = performance.now() + quietMs;
  for (;;) {
    progress.check();
    const missing = await findMissing(databaseUrl, record);
    if (missing.length === 0) return;
    if (performance.now() > deadline) {
      const letters = await names(databaseUrl, DEAD_LETTERS);
      throw new Error(missingText(quietMs, [...missing, ["dead letter", letters]]));
    }
    await pause(POLL_MS);
  }
}

type Missing = readonly [what: string, names: readonly string[]];

function missingText(quietMs: number, missing: readonly Missing[]): string {
  const lines = missing.map(([what, found]) => {
    const more = found.length > SHOWN ? ", …" : "";
    return `${what}: ${found.length} (${found.slice(0, SHOWN).join(", ")}${more})`;
  });
  return [`Not quiet after ${quietMs / 1_000} s.`, ...lines].join("\n");
}

async function findMissing(databaseUrl: string, record: DriverRecord): Promise<Missing[]> {
  const { calls, portedOut } = await readLoggedTraffic(databaseUrl);
  const lacking = (wanted: ReadonlySet<string>, logged: ReadonlyMap<string, number>) =>
    [...wanted].filter((one) => !logged.has(one));
  const missing: Missing[] = [
    ["call not logged", lacking(record.calls, calls)],
    ["port-out not logged", lacking(record.portOuts, portedOut)],
  ];
  for (const [what, text] of Object.entries(UNDER_WAY)) {
    missing.push([what, await names(databaseUrl, text)]);
  }
  return missing.filter(([, found]) => found.length > 0);
}

async function names(databaseUrl: string, text: string): Promise<string[]> {
  const rows = await query<{ name: string }>(databaseUrl, `select name from (${text}) t (name)`);
  return rows.map(({ name }) => name);
}
