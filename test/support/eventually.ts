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
