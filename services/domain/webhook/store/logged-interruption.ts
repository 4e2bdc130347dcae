import { attemptError } from "../rules/delivery.ts";

const ERROR = JSON.stringify(attemptError("interrupted")).replaceAll("'", "''");

/**
 * SQL for the attempt log of the delivery with this alias, including an interrupted attempt: one whose lease ended
 * without a result.
 */
export function loggedInterruption(delivery: string): string {
  const d = delivery;
  return `case when ${d}.lease_until is null then ${d}.attempt_log
        else ${d}.attempt_log || jsonb_build_object(
          'attempt', ${d}.attempt_count,
          'started_at', to_char(${d}.claimed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'duration_ms', round(extract(epoch from ${d}.lease_until - ${d}.claimed_at) * 1000),
          'response_code', null, 'error', '${ERROR}'::jsonb, 'response_body', null) end`;
}
