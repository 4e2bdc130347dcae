import type pg from "pg";
import { z } from "zod";

const row = z.object({
  status: z.string(),
  is_deleted: z.boolean(),
  event_sequence: z.number(),
  requirement_statuses: z.array(z.string()),
  /** Whether its numbers are reserved, so that no other order can take them. */
  is_live: z.boolean(),
  cases: z.array(z.tuple([z.number(), z.string(), z.string().nullable()])),
  moves: z.array(z.tuple([z.string(), z.string()])),
  rewritten: z.number(),
  /** Messages written to the outbox, by topic. */
  messages: z.record(z.string(), z.number()),
  unsent: z.number(),
  /** Messages between the services that their consumer has not handled yet. */
  unhandled: z.number(),
  /** `order_sequence` of the logged events. */
  logged: z.array(z.tuple([z.number(), z.string()])),
});

/** Everything in the database about one order. */
export type OrderRecord = z.infer<typeof row>;

const READ = `select o.status, o.deleted_at is not null as is_deleted, o.event_sequence,
    (select coalesce(json_agg(distinct coalesce(r.status, 'requirement-info-pending')), '[]')
      from orders.requirement_profiles p
      cross join jsonb_array_elements(p.items) item
      left join orders.requirements r on r.order_id = o.id and r.slug = item->>'slug'
      where p.id = o.requirement_profile_id and (item->>'mandatory')::boolean) as requirement_statuses,
    (select bool_or(n.live) from orders.order_numbers n where n.order_id = o.id) as is_live,
    (select coalesce(json_agg(json_build_array(c.attempt, c.state, c.outcome) order by c.attempt), '[]')
      from reviews.cases c where c.order_id = o.id) as cases,
    (select coalesce(json_agg(json_build_array(t.data->>'previous_status', t.data->>'new_status') order by t.id), '[]')
      from orders.timeline t where t.order_id = o.id and t.kind = 'status' and t.data ? 'new_status'
        and t.data->>'previous_status' is not null) as moves,
    (select count(*)::int from orders.timeline t
      where t.order_id = o.id and t.kind = 'requirement' and t.data ? 'rewritten') as rewritten,
    (select coalesce(json_object_agg(m.topic, m.count), '{}') from (
      select substring(topic from length($2) + 1) as topic, count(*)::int as count
      from messaging.outbox where key = convert_to($1::text, 'UTF8') group by topic) m) as messages,
    (select count(*)::int from messaging.outbox b
      where b.key = convert_to($1::text, 'UTF8')
        and not exists (select from messaging.sent_messages s where s.id = b.id and s.day = b.day)) as unsent,
    (select count(*)::int from messaging.outbox b
      where b.key = convert_to($1::text, 'UTF8') and b.topic like $2 || 'porting.review-%'
        and not exists (select from messaging.inbox i where i.message_id = b.message_id)) as unhandled,
    (select coalesce(json_agg(json_build_array(l.order_sequence, l.type) order by l.seq), '[]')
      from events.log l where l.order_id = $1::uuid) as logged
  from orders.porting_orders o where o.id = $1::uuid`;

/** Reads an order's record, deleted or not, in one snapshot. */
export async function readOrderRecord(
  database: pg.Client,
  topicPrefix: string,
  orderId: string,
): Promise<OrderRecord> {
  const { rows } = await database.query(READ, [orderId, topicPrefix]);
  return row.parse(rows[0]);
}
