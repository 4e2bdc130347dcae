const [SHORTEST_MS, LONGEST_MS] = [50, 150];
/** No promise of the product: what a machine needs that others keep busy. */
const DEADLINE_MS = 15_000;

/**
 * Repeats `attempt` until it no longer throws and returns its result; after the deadline, throws its last error. The
 * longer it waits the less often it looks, because looking slows down what it waits for.
 */
export async function eventually<T>(
  attempt: () => T | Promise<T>,
  deadlineMs = DEADLINE_MS,
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > startedAt + deadlineMs) throw error;
    }
    const waitedMs = performance.now() - startedAt;
    const pauseMs = Math.min(Math.max(SHORTEST_MS, waitedMs / 10), LONGEST_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
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
