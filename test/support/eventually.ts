const POLL_MS = 50;
const DEADLINE_MS = 30_000;

/** Tries until `attempt` no longer throws and returns what it returned; after the deadline its last error is thrown. */
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
