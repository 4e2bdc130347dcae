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

export interface Attack {
  stop(): Promise<unknown>;
}

/**
 * The same requests alone and during an attack, in turns, so that both meet the same neighbours: of three pairs of rounds
 * the one in which the attack shows least.
 */
export async function p99sBeside(
  attack: () => Attack,
  { count, request }: { readonly count: number; readonly request: () => Promise<unknown> },
): Promise<{ readonly alone: number; readonly beside: number }> {
  const pairs: { alone: number; beside: number }[] = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    const alone = await p99OfRound(count, request);
    const running = attack();
    try {
      pairs.push({ alone, beside: await p99OfRound(count, request) });
    } finally {
      await running.stop();
    }
  }
  const told = ({ alone, beside }: { alone: number; beside: number }): number => beside - 2 * alone;
  const [least] = pairs.toSorted((a, b) => told(a) - told(b));
  return least ?? { alone: 0, beside: Infinity };
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
