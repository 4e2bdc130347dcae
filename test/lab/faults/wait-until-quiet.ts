import { setTimeout as pause } from "node:timers/promises";
import type { OwnProduct } from "../../support/product/product.ts";
import type { RunProgress } from "./run-progress.ts";
import type { DriverRecord } from "./driver-record.ts";
import { query } from "./gather.ts";
import { readLoggedTraffic } from "./traffic.ts";

const QUIET_MS = 300_000;
const POLL_MS = 500;
const SHOWN = 5;

/** Each kind of unfinished work with a query that names it. */
const UNDER_WAY = {
  "order not ended": `select id || ' (' || status || ')' from orders.porting_orders
    where status not in ('draft', 'completed', 'cancelled') and deleted_at is null`,
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
