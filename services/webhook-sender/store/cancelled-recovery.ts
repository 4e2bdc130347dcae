/**
 * Whether a recovery made the delivery of this name and was cancelled since. One that was asked for again by hand goes its
 * own way: its recovery may have ended with a pause long ago.
 */
export function isCancelled(delivery: string): string {
  return `${delivery}.trigger = 'recover' and not ${delivery}.by_hand and exists (
    select from webhooks.recoveries r where r.id = ${delivery}.cause_id and r.status = 'cancelled'
  )`;
}
