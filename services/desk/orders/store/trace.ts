import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { Keyset } from "../../../platform/http/paging.ts";
import type { Actor } from "../../../domain/order/rules/order.ts";
import { ORDER_OF_LETTER } from "../../dead-letters/store.ts";

/** A value beyond this is not shown: a page has up to 250. */
const MAX_VALUE_BYTES = 262_144;

/** A step of an order's trace as stored. Steps are in order of time, then of rank, then of key. */
export interface TraceRow {
  readonly at: Date;
  /** The place of its step among those of `TRACE_STEPS`. */
  readonly rank: number;
  readonly key: string;
  readonly name: string;
  readonly actor: Actor | null;
  readonly request_id: string | null;
  readonly message_id: string | null;
  readonly traceparent: string | null;
  readonly event_id: string | null;
  readonly delivery_id: string | null;
  /** With the deployment's prefix. */
  readonly topic: string | null;
  readonly partition: number | null;
  readonly offset: number | null;
  readonly consumer: string | null;
  readonly state: string | null;
  readonly value: Readonly<Record<string, unknown>> | null;
  /** Bytes that have still to be decoded, and where they are sealed, by which key. */
  readonly raw: Buffer | null;
  readonly sealed_key_id: string | null;
}

/** Every step has all columns; those that its kind lacks are null. */
const COLUMNS = {
  at: "timestamptz",
  rank: "integer",
  key: "text",
  name: "text",
  actor: "jsonb",
  request_id: "text",
  message_id: "uuid",
  traceparent: "text",
  event_id: "uuid",
  delivery_id: "uuid",
  topic: "text",
  partition: "integer",
  offset: "bigint",
  consumer: "text",
  state: "text",
  value: "jsonb",
  raw: "bytea",
  sealed_key_id: "text",
} as const satisfies Record<keyof TraceRow, string>;

type Source = Partial<Record<keyof typeof COLUMNS, string>> & { readonly at: string };

function steps(source: Source, from: string): string {
  const columns = Object.entries(COLUMNS).map(([name, type]) => {
    const given = source[name as keyof typeof COLUMNS] ?? "null";
    const value = name === "at" ? `date_trunc('milliseconds', ${given})` : given;
    return `(${value})::${type} as "${name}"`;
  });
  return `select ${columns.join(", ")} from ${from}`;
}

const RAW = (column: string) =>
  `case when length(${column}) <= ${MAX_VALUE_BYTES} then ${column} end`;
const MESSAGE = {
  message_id: "o.message_id",
  traceparent: "o.headers ->> 'traceparent'",
  topic: "o.topic",
  key: "lpad(o.id::text, 19, '0')",
  name: "o.topic",
};

const SOURCES = [
  steps(
    {
      at: "a.at",
      rank: "0",
      key: "a.id",
      name: "a.action",
      actor: `jsonb_build_object('type', case a.actor_type when 'operator' then 'desk' else a.actor_type end,
        'id', coalesce(a.operator_id, a.api_key_id), 'name', case a.actor_type when 'operator' then a.operator_name end)`,
      request_id: "a.request_id",
      value: "jsonb_build_object('before', a.before, 'after', a.after)",
    },
    "accounts.audit_log a where a.porting_order_id = $1::uuid",
  ),
  steps(
    { at: "t.at", rank: "1", key: "t.id", name: "t.kind", actor: "t.actor", value: "t.data" },
    "orders.timeline t where t.order_id = $1::uuid",
  ),
  steps(
    {
      ...MESSAGE,
      at: "o.created_at",
      rank: "2",
      state: "case when o.waits then 'waiting' else 'sent' end",
      raw: RAW("o.value"),
      sealed_key_id: "o.sealed_key_id",
    },
    "messages o",
  ),
  steps(
    {
      ...MESSAGE,
      at: "o.sent_at",
      rank: "3",
      partition: "o.kafka_partition",
      offset: "o.kafka_offset",
    },
    "messages o where not o.waits",
  ),
  steps(
    {
      at: "i.received_at",
      rank: "4",
      key: "i.message_id || '/' || i.consumer",
      name: "i.consumer",
      message_id: "i.message_id",
      consumer: "i.consumer",
    },
    "messaging.inbox i where i.message_id in (select message_id from messages union select id from published)",
  ),
  steps(
    {
      at: "r.sent_at",
      rank: "4",
      key: "r.request_id",
      name: "'carriers.requests'",
      consumer: "'carrier-adapter'",
      value: `jsonb_build_object('request_id', r.request_id, 'provider', r.provider, 'kind', r.kind,
        'request_version', r.request_version)`,
    },
    "carriers.requests r where r.order_id = $1::uuid",
  ),
  steps(
    {
      at: "u.received_at",
      rank: "4",
      key: "u.provider || '/' || u.update_id",
      name: "'carriers.updates'",
      consumer: "'carrier-adapter'",
      topic: "$7::text || 'carriers.updates'",
      partition: "u.source_partition",
      offset: "u.source_offset",
      value: "jsonb_build_object('provider', u.provider, 'update_id', u.update_id)",
    },
    "carriers.updates u where u.order_id = $1::uuid",
  ),
  steps(
    {
      at: "d.created_at",
      rank: "5",
      key: "d.id",
      name: "d.error_code",
      message_id: "d.message_id",
      topic: "d.topic",
      partition: "d.kafka_partition",
      offset: "d.kafka_offset",
      consumer: "d.consumer",
      state: "d.state",
      raw: RAW("d.value"),
      sealed_key_id: "d.sealed_key_id",
    },
    `messaging.dead_letters d where ${ORDER_OF_LETTER} = $1::uuid`,
  ),
  steps(
    { at: "l.stored_at", rank: "6", key: "l.id", name: "l.type", event_id: "l.id", raw: "l.body" },
    "published l",
  ),
  steps(
    {
      at: "d.created_at",
      rank: "7",
      key: "d.id",
      name: "d.event_type",
      event_id: "d.event_id",
      delivery_id: "d.id",
      state: "d.status",
      value: `jsonb_build_object('url', d.url, 'webhook_endpoint_id', d.endpoint_id, 'trigger', d.trigger,
        'attempt_count', d.attempt_count, 'next_attempt_at', d.next_attempt_at, 'completed_at', d.completed_at)`,
    },
    "delivered d",
  ),
  steps(
    {
      at: "(e.entry ->> 'started_at')::timestamptz",
      rank: "8",
      key: "d.id || '/' || lpad(e.nth::text, 6, '0')",
      name: "d.event_type",
      event_id: "d.event_id",
      delivery_id: "d.id",
      state: "case when e.entry -> 'error' = 'null'::jsonb then 'succeeded' else 'failed' end",
      value: "e.entry",
    },
    "delivered d cross join lateral jsonb_array_elements(d.attempt_log) with ordinality e (entry, nth)",
  ),
];

/** Calls to an order's numbers concern it for ever, and are not its own way. */
const FOUND = `with messages as materialized (
    select o.id, o.created_at, o.message_id, o.topic, o.headers, o.value, o.sealed_key_id,
      p.waits, p.sent_at, p.kafka_partition, p.kafka_offset
    from messaging.outbox o join messaging.outbox_progress p on p.id = o.id and p.day = o.day
    where o.key = convert_to($1::uuid::text, 'UTF8') and length(o.key) = 36
  ), published as materialized (
    select l.id, l.type, l.stored_at, ${RAW("l.body")} as body from events.log l
    where l.account_id = $2::uuid and l.order_id = $1::uuid and l.sequence_key = $1::uuid::text
  ), delivered as materialized (
    select d.* from webhooks.deliveries d
    where d.account_id = $2::uuid and d.order_id = $1::uuid and d.event_type not like 'call.%'
  )
  select * from (${SOURCES.join(" union all ")}) s`;

/** Where a page of the trace begins: behind this step. */
export type TraceCursor = Pick<TraceRow, "at" | "rank" | "key">;

export interface TraceScan extends Omit<Keyset, "cursorId"> {
  readonly cursor: TraceCursor | null;
}

export interface TracedOrder {
  readonly id: string;
  readonly account_id: string;
}

/** Steps of an order's trace, in scan order. */
export async function readTrace(
  db: Queryable,
  order: TracedOrder,
  { scan, topicPrefix }: { readonly scan: TraceScan; readonly topicPrefix: string },
): Promise<TraceRow[]> {
  const { direction, comparison, cursor, fetch } = scan;
  return queryRows<TraceRow>(db, {
    text: `${FOUND}
      where $4::timestamptz is null or (s.at, s.rank, s.key collate "C") ${comparison} ($4, $5::integer, $6::text)
      order by s.at ${direction}, s.rank ${direction}, s.key collate "C" ${direction} limit $3`,
    values: [
      order.id,
      order.account_id,
      fetch,
      cursor?.at ?? null,
      cursor?.rank ?? null,
      cursor?.key ?? null,
      topicPrefix,
    ],
  });
}
