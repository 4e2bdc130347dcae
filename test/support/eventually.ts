const POLL_MS = 50;
const DEADLINE_MS = 30_000;

/** Repeats `attempt` until it no longer throws and returns its result; after the deadline, throws its last error. */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const until = performance.now() + deadlineMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Looks until what it sees is done, as long as it moves: the deadline begins again with each change, so that a slow machine
 * has the time that it needs. Returns what it saw; after the deadline, throws that.
 */
export async function whileItMoves<T>(
  look: () => Promise<T>,
  isDone: (seen: T) => boolean,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  for (let last = ""; ;) {
    const seen = await eventually(async () => {
      const found = await look();
      if (!isDone(found) && JSON.stringify(found) === last) {
        throw new Error(`it stands still at ${last}`);
      }
      return found;
    }, deadlineMs);
    if (isDone(seen)) return seen;
    last = JSON.stringify(seen);
  }
}
