/**
 * Whether a delivery, looked up by its id, is not settled yet. Said by what it is not, so that the planner does not take
 * an index of all that is open instead of the primary key: of a new month's table it believes that both are empty.
 */
export function isOpen(delivery: string): string {
  return `${delivery}.status not in ('succeeded', 'failed', 'skipped', 'cancelled')`;
}
