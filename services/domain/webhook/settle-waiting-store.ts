/**
 * The update that settles what waits for the endpoints of the expression `changed` (id), at the time `now` names; an
 * attempt under way is finished, and its result settles the rest.
 */
export function settleWaiting(status: "skipped" | "cancelled", now: string): string {
  return `update webhooks.deliveries d set status = '${status}', completed_at = ${now}, next_attempt_at = null,
      lease_until = null
    from changed c where d.endpoint_key = c.id and d.status in ('pending', 'retrying')
      and (d.lease_until is null or d.lease_until <= ${now})`;
}
