import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";

/** A step of a call and the event that tells it. */
export interface CallStep {
  /** A hash of provider, call, kind and stage, in the form of a UUID. */
  readonly call_step: string;
  readonly event_id: string;
}

const CLAIM = `with claimed as (
    insert into carriers.call_events (call_step, event_id)
    select u.call_step, u.event_id from unnest($1::uuid[], $2::uuid[]) u (call_step, event_id)
    on conflict (call_step) do nothing returning call_step, event_id
  )
  select * from claimed
  union all
  select call_step, event_id from carriers.call_events where call_step = any ($1)`;

/**
 * The event of each step: the one given for a step that is new, the one given first for a step that is not. So what is
 * said again, or published again after a crash, is the same event.
 */
export async function claimCallSteps(
  db: Queryable,
  steps: readonly CallStep[],
): Promise<Map<string, string>> {
  const known = new Map<string, string>();
  // A step that another process claims at this moment is seen by the second look.
  for (let left = steps; left.length > 0; left = steps.filter((one) => !known.has(one.call_step))) {
    const rows = await queryRows<CallStep>(db, {
      name: "call-steps-claim",
      text: CLAIM,
      values: [left.map((one) => one.call_step), left.map((one) => one.event_id)],
    });
    for (const { call_step, event_id } of rows) known.set(call_step, event_id);
  }
  return known;
}
