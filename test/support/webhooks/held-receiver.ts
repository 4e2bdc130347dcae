import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { endAfterTests } from "../lifetime/end-after-tests.ts";

/** A receiver that holds every request until `open` is called, and then answers at once until `hold` is. */
export interface HeldReceiver {
  readonly url: string;
  requests(): number;
  open(status?: number): void;
  /** Holds what comes from now on. */
  hold(): void;
  stop(): Promise<void>;
}

export async function startHeldReceiver(): Promise<HeldReceiver> {
  const waiting: ServerResponse[] = [];
  let answer: number | null = null;
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    request.resume();
    if (answer === null) waiting.push(response);
    else response.writeHead(answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = endAfterTests(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    stop,
    hold: () => {
      answer = null;
    },
    open: (status = 200) => {
      answer = status;
      for (const response of waiting.splice(0)) response.writeHead(status).end();
    },
  };
}
