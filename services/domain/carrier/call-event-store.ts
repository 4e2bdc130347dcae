import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";

/** A step of a call, the event that would tell it, and the record that says it. */
export interface CallStep {
  /** A hash of provider, call, kind and stage, in the form of a UUID. */
  readonly call_step: string;
  readonly event_id: string;
  readonly kafka_partition: number;
  readonly kafka_offset: number;
}

interface KnownStep {
  readonly call_step: string;
  readonly event_id: string;
  readonly kafka_partition: number;
  /** A bigint comes as text. */
  readonly kafka_offset: string;
}

const CLAIM = `with claimed as (
    insert into carriers.call_events (call_step, event_id, kafka_partition, kafka_offset)
    select u.call_step, u.event_id, u.kafka_partition, u.kafka_offset
    from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::bigint[])
      u (call_step, event_id, kafka_partition, kafka_offset)
    on conflict (call_step) do nothing
    returning call_step, event_id, kafka_partition, kafka_offset
  )
  select * from claimed
  union all
  select call_step, event_id, kafka_partition, kafka_offset from carriers.call_events
    where call_step = any ($1)`;

/**
 * The record and event of each step: what was given for a step that is new, what was given first for one that is not.
 * The event's id so survives a repeat, and every repeat but that of the first record itself is known as one.
 */
export async function claimCallSteps(
  db: Queryable,
  steps: readonly CallStep[],
): Promise<Map<string, CallStep>> {
  const known = new Map<string, CallStep>();
  // A step that another process claims at this moment is seen by the second look.
  for (let left = steps; left.length > 0; left = steps.filter((one) => !known.has(one.call_step))) {
    const rows = await queryRows<KnownStep>(db, {
      name: "call-steps-claim",
      text: CLAIM,
      values: [
        left.map((one) => one.call_step),
        left.map((one) => one.event_id),
        left.map((one) => one.kafka_partition),
        left.map((one) => one.kafka_offset),
      ],
    });
    for (const row of rows) {
      known.set(row.call_step, { ...row, kafka_offset: Number(row.kafka_offset) });
    }
  }
  return known;
}
