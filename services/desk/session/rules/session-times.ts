const MINUTE_MS = 60_000;

/** How long a session lasts at most, however much it is used. */
export const SESSION_MS = 12 * 60 * MINUTE_MS;
/** A session that is not used for this long has ended. */
const IDLE_MS = 60 * MINUTE_MS;
/** Its use is noted at most this often, so that a session may end up to this much early, and never late. */
const NOTE_MS = MINUTE_MS;

/** Sessions last used at this time or before have ended. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

export function isUseDue(usedAt: Date, now: Date): boolean {
  return now.getTime() - usedAt.getTime() >= NOTE_MS;
}
