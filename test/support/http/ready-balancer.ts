import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { httpStatus } from "../../../infra/start/supervisor/http-status.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { startPeriodic } from "../../../services/platform/periodic.ts";
import { createLogger } from "../../../services/platform/logger.ts";

/** A service asks to be looked at every second at least; this is how often a usual load balancer looks. */
const LOOK_MS = 250;
const READY_MS = 60_000;

/** A load balancer in front of the copies of a service. */
export interface ReadyBalancer {
  readonly url: string;
  /** How many requests were forwarded. */
  readonly requests: () => number;
  /** Requests that a copy answered with a 5xx or not at all, such as `POST /v2/porting_orders: 503`. */
  readonly failures: readonly string[];
  stop(): Promise<void>;
}

/**
 * Starts once all copies are ready. Forwards each request to the next copy whose `/readyz` answers 200; one that refuses
 * the connection is passed over.
 */
export async function startReadyBalancer(
  copies: readonly (() => string)[],
): Promise<ReadyBalancer> {
  const failures: string[] = [];
  let requests = 0;
  let ready: readonly string[] = [];
  const looking = startPeriodic({
    name: "looking for ready copies",
    everyMs: LOOK_MS,
    log: createLogger("balancer", "silent"),
    run: async () => {
      const urls = copies.map((url) => url());
      const statuses = await Promise.all(urls.map((url) => httpStatus(`${url}/readyz`)));
      ready = urls.filter((_, n) => statuses[n] === 200);
    },
  });
  await until(() => ready.length === copies.length, { timeoutMs: READY_MS, what: "all copies" });
  const server = createServer((incoming, response) => {
    requests += 1;
    const first = requests % Math.max(ready.length, 1);
    const order = [...ready.slice(first), ...ready.slice(0, first)];
    void forward({ incoming, response }, order).then((status) => {
      if (status < 500) return;
      const path = (incoming.url ?? "").split("?")[0] ?? "";
      failures.push(`${incoming.method ?? ""} ${path}: ${status}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    failures,
    stop: async () => {
      await looking.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

const NOBODY = 503;
const BROKEN = 502;

/** The status that the client got. */
async function forward(
  { incoming, response }: Exchange,
  order: readonly string[],
): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  for (const copy of order) {
    const status = await send({ incoming, response }, copy, body);
    if (status !== null) return status;
  }
  return answerWith(response, NOBODY);
}

function answerWith(response: ServerResponse, status: number): number {
  // A client whose answer was cut off sees the end of the connection.
  if (response.headersSent) response.destroy();
  else response.writeHead(status).end();
  return status;
}

/** Null where the copy does not listen. */
function send(
  { incoming, response }: Exchange,
  copy: string,
  body: Buffer,
): Promise<number | null> {
  const { method, headers, url = "/" } = incoming;
  return new Promise((resolve) => {
    const outgoing = request(
      new URL(url, copy),
      { method, agent: false, headers: { ...headers, connection: "close" } },
      (answer) => {
        const status = answer.statusCode ?? BROKEN;
        response.writeHead(status, answer.headers);
        answer.pipe(response);
        answer.once("end", () => resolve(status));
        answer.once("error", () => resolve(answerWith(response, BROKEN)));
      },
    );
    outgoing.once("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ECONNREFUSED" ? null : answerWith(response, BROKEN));
    });
    outgoing.end(body);
  });
}
