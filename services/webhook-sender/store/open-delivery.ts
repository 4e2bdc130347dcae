/**
 * SQL: whether a delivery, looked up by its id, is not settled yet. It lists the settled statuses so that
 * the planner uses the primary key and not an index of open deliveries: in a new month's table it takes
 * both for empty.
 */
export function isOpen(delivery: string): string {
  return `${delivery}.status not in ('succeeded', 'failed', 'skipped', 'cancelled')`;
}
