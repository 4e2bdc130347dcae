import { createHash } from "node:crypto";
import pg from "pg";
import { serializeEvent } from "../../../services/domain/event/rules/serialize-event.ts";
import { checkEvent } from "../../../services/domain/event/rules/check-event.ts";
import type { OwnProduct } from "../../support/product/product.ts";
import { readMessages } from "../../support/stack/topic-messages.ts";
import type { DriverRecord } from "./driver-record.ts";
import type { FaultAccount } from "./fault-accounts.ts";
import type { ExpectedDelivery, History, LoggedEvent, SeenEvent } from "./history.ts";

/** Runs one query on a new connection. */
export async function query<R extends pg.QueryResultRow>(
  databaseUrl: string,
  text: string,
): Promise<R[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

export async function readLog({ databaseUrl }: OwnProduct): Promise<LoggedEvent[]> {
  const rows = await query<{
    id: string;
    account_id: string;
    seq: string;
    sequence_key: string;
    order_sequence: number | null;
    body: Buffer;
  }>(databaseUrl, "select id, account_id, seq, sequence_key, order_sequence, body from events.log");
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    seq: Number(row.seq),
    sequenceKey: row.sequence_key,
    orderSequence: row.order_sequence,
    hash: createHash("sha256").update(row.body).digest("hex"),
  }));
}

export async function readEventTopic(product: OwnProduct): Promise<History["topic"]> {
  const events = await readMessages(product, "porting.events");
  return events.map((event) => {
    const body = serializeEvent(event, checkEvent(event));
    return { id: event.id, hash: createHash("sha256").update(body).digest("hex") };
  });
}

/** Records the orders of unanswered creations that exist nevertheless. */
export async function resolveDoubts(product: OwnProduct, record: DriverRecord): Promise<void> {
  const rows = await query<{ order_id: string; phone_number: string }>(
    product.databaseUrl,
    "select order_id, phone_number from orders.order_numbers",
  );
  for (const { order_id: orderId, phone_number: number } of rows) {
    const doubtful = record.doubtfulNumbers.get(number);
    if (doubtful !== undefined) record.orders.set(orderId, { orderId, ...doubtful });
  }
}

/** Every delivery that should have been made. */
export function expectedDeliveries(
  feeds: readonly { account: FaultAccount; feed: readonly SeenEvent[] }[],
  record: DriverRecord,
): ExpectedDelivery[] {
  return feeds.flatMap(({ account, feed }) =>
    feed.flatMap((event) => {
      const ownPath = record.orders.get(event.orderId ?? "")?.ownPath ?? null;
      const paths =
        ownPath !== null
          ? [ownPath]
          : [...account.endpoints]
              .filter(([, types]) => types === null || types.has(event.type))
              .map(([path]) => path);
      return paths.map((path) => ({ eventId: event.id, path }));
    }),
  );
}
