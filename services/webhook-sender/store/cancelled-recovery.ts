/**
 * SQL: whether a recovery created this delivery and has since been cancelled. A manually retried delivery
 * is exempt: its recovery may have ended with a pause long ago.
 */
export function isCancelled(delivery: string): string {
  return `${delivery}.trigger = 'recover' and not ${delivery}.by_hand and exists (
    select from webhooks.recoveries r where r.id = ${delivery}.cause_id and r.status = 'cancelled'
  )`;
}
