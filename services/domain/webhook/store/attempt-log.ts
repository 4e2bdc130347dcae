import { attemptError } from "../rules/delivery.ts";

const ERROR = JSON.stringify(attemptError("interrupted")).replaceAll("'", "''");
const OMITTED = `'{"response_body": null, "body_omitted": true}'::jsonb`;
/** Bodies of answers are kept of the first attempt and of so many last ones. */
const LAST_BODIES = 10;

/** SQL: a log with one more entry, without the body of the one that is no longer among the last. */
export function withEntry(log: string, entry: string): string {
  const at = `jsonb_array_length(${log}) - ${LAST_BODIES}`;
  return `case when ${at} < 1 then ${log} || ${entry}
        else jsonb_set(${log}, array[(${at})::text], (${log} -> (${at})) || ${OMITTED}) || ${entry} end`;
}

/** SQL: a log as lists show it, without the bodies of answers. */
export function withoutBodies(log: string): string {
  return `(select coalesce(jsonb_agg(case when coalesce(e.entry ->> 'response_body', '') = '' then e.entry
          else e.entry || ${OMITTED} end order by e.nth), '[]'::jsonb)
        from jsonb_array_elements(${log}) with ordinality e (entry, nth))`;
}

/**
 * SQL for the attempt log of the delivery with this alias, including an interrupted attempt: one whose lease ended
 * without a result.
 */
export function loggedInterruption(delivery: string): string {
  const d = delivery;
  const entry = `jsonb_build_object(
          'attempt', ${d}.attempt_count,
          'started_at', to_char(${d}.claimed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'duration_ms', round(extract(epoch from ${d}.lease_until - ${d}.claimed_at) * 1000),
          'response_code', null, 'error', '${ERROR}'::jsonb, 'response_body', null)`;
  return `case when ${d}.lease_until is null then ${d}.attempt_log
        else ${withEntry(`${d}.attempt_log`, entry)} end`;
}
