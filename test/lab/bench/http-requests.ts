import { Pool } from "undici";

export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface HttpRequests {
  /** Sends one request, reads the whole answer and returns the duration in ms. @throws where the answer is not 2xx */
  send(request: SentRequest): Promise<number>;
  close(): Promise<void>;
}

/** Requests to one server over `connections` connections, with an API key. */
export function openRequests(url: string, connections: number, key?: string): HttpRequests {
  const pool = new Pool(url, { connections });
  const headers = {
    "content-type": "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  return {
    send: async ({ method = "GET", path, body }) => {
      const startedAt = performance.now();
      const sent = body === undefined ? null : JSON.stringify(body);
      const answer = await pool.request({ method, path, headers, body: sent });
      await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
      if (answer.statusCode > 299) throw new Error(`${method} returned ${answer.statusCode}`);
      return performance.now() - startedAt;
    },
    close: () => pool.close(),
  };
}

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
