/**
 * Runs `work` concurrently, `connections` times, until `isOver`; resolves with the number of completions a second.
 */
export async function sideBySide(
  connections: number,
  isOver: (done: number, ms: number) => boolean,
  work: (connection: number) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      while (!isOver(done, performance.now() - startedAt)) {
        await work(connection);
        done += 1;
      }
    }),
  );
  return (done * 1_000) / (performance.now() - startedAt);
}
