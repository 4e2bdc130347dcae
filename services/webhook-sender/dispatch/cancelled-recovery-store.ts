/** Whether the recovery that made a delivery of this name was cancelled. */
export function isCancelled(delivery: string): string {
  return `exists (
    select from webhooks.recoveries r where r.id = ${delivery}.cause_id and r.status = 'cancelled'
  )`;
}
