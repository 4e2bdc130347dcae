import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { NumberOwner } from "../../../domain/number/rules/owner-at.ts";

/** A step of a call with the id of a new event for it. */
export interface CallStep {
  /** A hash of provider, call, kind and stage, in the form of a UUID. */
  readonly call_step: string;
  readonly event_id: string;
  /** Null where no account has the number now. */
  readonly owner: NumberOwner | null;
}

/** The event of a step, and the account that it belongs to. */
export interface ClaimedStep extends NumberOwner {
  readonly event_id: string;
}

type ClaimedRow = ClaimedStep & { readonly call_step: string };

const CLAIM = `with claimed as (
    insert into carriers.call_events (call_step, event_id, account_id, porting_order_id)
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[])
      u (call_step, event_id, account_id, porting_order_id)
    where u.account_id is not null
    on conflict (call_step) do nothing returning call_step, event_id, account_id, porting_order_id
  )
  select * from claimed
  union all
  select call_step, event_id, account_id, porting_order_id from carriers.call_events where call_step = any ($1)`;

/**
 * The event of each step: the given one for a new step, else the one claimed before. So a call that comes again, or is
 * published again after a crash, is the same event, whoever has the number by then. A new step without an owner has
 * none.
 */
export async function claimCallSteps(
  db: Queryable,
  steps: readonly CallStep[],
): Promise<Map<string, ClaimedStep>> {
  const known = new Map<string, ClaimedStep>();
  const isLeft = (one: CallStep): boolean => one.owner !== null && !known.has(one.call_step);
  // A step that another process claims at the same time is found by the second query.
  for (let left = steps; left.length > 0; left = steps.filter(isLeft)) {
    const rows = await queryRows<ClaimedRow>(db, {
      name: "call-steps-claim",
      text: CLAIM,
      values: [
        left.map((one) => one.call_step),
        left.map((one) => one.event_id),
        left.map((one) => one.owner?.account_id ?? null),
        left.map((one) => one.owner?.porting_order_id ?? null),
      ],
    });
    for (const { call_step, ...claimed } of rows) known.set(call_step, claimed);
  }
  return known;
}

/** Which of the steps have an event already. */
export async function findCallSteps(
  db: Queryable,
  steps: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ call_step: string }>(db, {
    name: "call-steps-find",
    text: "select call_step from carriers.call_events where call_step = any ($1::uuid[])",
    values: [steps],
  });
  return new Set(rows.map((row) => row.call_step));
}
