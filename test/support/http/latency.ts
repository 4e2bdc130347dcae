const ROUNDS = 3;

/**
 * The 99th percentile, in milliseconds, of requests that are made one after the other. Of three rounds the lowest
 * counts: a neighbour on the machine slows one round, an attack slows them all.
 */
export async function p99Ms(count: number, request: () => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) rounds.push(await p99OfRound(count, request));
  return Math.min(...rounds);
}

async function p99OfRound(count: number, request: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const startedAt = performance.now();
    await request();
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  return times[Math.ceil(times.length * 0.99) - 1] ?? Infinity;
}
