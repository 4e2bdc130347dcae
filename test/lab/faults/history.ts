import { createHash } from "node:crypto";
import pg from "pg";
import { checkEvent } from "../../../services/domain/event/rules/storable-event.ts";
import { serializeEvent } from "../../../services/domain/event/rules/serialize-event.ts";
import type { OwnProduct } from "../../support/product/product.ts";
import { readMessages } from "../../support/stack/topic-messages.ts";
import type { DriverRecord } from "./run-progress.ts";
import type { FaultAccount } from "./fault-accounts.ts";

/** A change that an answer to the client confirmed. */
export type AcknowledgedChange =
  | {
      readonly kind:
        | "created"
        | "deleted"
        | "submitted"
        | "decided"
        | "rejected"
        | "resubmitted"
        | "cancelled";
      readonly orderId: string;
    }
  | { readonly kind: "signed"; readonly orderId: string; readonly documentId: string }
  | { readonly kind: "commented"; readonly orderId: string; readonly commentId: string };

/** An event as a reader of the feed saw it. */
export interface SeenEvent {
  readonly id: string;
  readonly type: string;
  readonly orderId: string | null;
  readonly previousStatus: string | null;
  readonly newStatus: string | null;
  /** The signed document of `loa.signed`. */
  readonly documentId: string | null;
  /** The comment of `porting_order.new_comment`. */
  readonly commentId: string | null;
}

/** A row of the permanent log. */
interface LoggedEvent {
  readonly id: string;
  readonly accountId: string;
  readonly seq: number;
  readonly sequenceKey: string;
  /** Null for a call, which is recorded without a lock. */
  readonly orderSequence: number | null;
  /** SHA-256 of the body, in hex. */
  readonly hash: string;
}

/** A webhook that should have been sent, given the endpoints and orders. */
interface ExpectedDelivery {
  readonly eventId: string;
  /** The path at the receiver, which is unique per endpoint or order. */
  readonly path: string;
}

export interface ReceivedDelivery extends ExpectedDelivery {
  readonly hash: string;
}

/** All results of a fault run, gathered once it is quiet. */
export interface History {
  readonly acknowledged: readonly AcknowledgedChange[];
  /** Orders that an answer named, and those that may exist because an answer was lost. */
  readonly knownOrders: ReadonlySet<string>;
  readonly submittedOrders: ReadonlySet<string>;
  /** For these orders a decision of the desk may have come too late, and the final status may be `cancelled`. */
  readonly cancelAsked: ReadonlySet<string>;
  readonly finalStatus: ReadonlyMap<string, string>;
  /** Each account's feed, paged from the start. */
  readonly feed: readonly SeenEvent[];
  /** Event ids collected by a client that paged forward throughout the run. */
  readonly followed: readonly string[];
  readonly followedFeed: readonly string[];
  readonly log: readonly LoggedEvent[];
  /** Id and body hash of every record of the topic, including repeats. */
  readonly topic: readonly { readonly id: string; readonly hash: string }[];
  readonly expected: readonly ExpectedDelivery[];
  readonly received: readonly ReceivedDelivery[];
  readonly deliveryRows: readonly { readonly eventId: string; readonly status: string }[];
}

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
