import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import type { Reservation } from "../queue/endpoint-queue.ts";

/** No process reserves further ahead, so one that dies delays an endpoint no longer than this. */
const AHEAD = "interval '500 milliseconds'";

const RESERVE = `insert into webhooks.endpoint_pace as p (endpoint_id, next_at)
  values ($1, clock_timestamp() + $2::float8 * $3::float8 * interval '1 millisecond')
  on conflict (endpoint_id) do update
    set next_at = greatest(p.next_at, clock_timestamp()) + $2::float8 * $3::float8 * interval '1 millisecond'
    where p.next_at <= clock_timestamp() + ${AHEAD}
  returning extract(epoch from next_at - $2::float8 * $3::float8 * interval '1 millisecond' - clock_timestamp())::float8 * 1000 as wait_ms`;

/**
 * Reserves an endpoint's next starts; returns the milliseconds until the first, null if others have
 * reserved far enough ahead.
 */
export async function reserveStarts(
  db: Queryable,
  endpointId: string,
  { count, stepMs }: Reservation,
): Promise<number | null> {
  const [row] = await queryRows<{ wait_ms: number }>(db, {
    name: "starts-reserve",
    text: RESERVE,
    values: [endpointId, count, stepMs],
  });
  return row === undefined ? null : Math.max(0, row.wait_ms);
}
