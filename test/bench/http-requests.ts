import { Pool } from "undici";

export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface HttpRequests {
  /** Sends one request, whose answer is read whole; how long it took in ms. @throws where it is not answered 2xx */
  send(request: SentRequest): Promise<number>;
  close(): Promise<void>;
}

/** Requests to one server over so many connections, under a key. */
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
      if (answer.statusCode > 299) throw new Error(`${method} was answered ${answer.statusCode}`);
      return performance.now() - startedAt;
    },
    close: () => pool.close(),
  };
}
