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
  let last = "";
  for (let until = performance.now() + deadlineMs; ;) {
    const seen = await look();
    if (isDone(seen)) return seen;
    const now = JSON.stringify(seen);
    if (now !== last) until = performance.now() + deadlineMs;
    else if (performance.now() > until) throw new Error(`it stands still at ${now}`);
    last = now;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
