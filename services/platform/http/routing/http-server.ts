import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type Koa from "koa";

import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";
import { answerClientError, type RequestLimits } from "../problem/client-error.ts";
import { limitConnections, REFUSALS } from "./connection-limits.ts";
import { cutSlowReaders, type ReadingPace } from "./cut-slow-readers.ts";
import { listen } from "./listen.ts";
import { RunningResponses } from "./running-responses.ts";

export interface HttpServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly log: Logger;
  readonly metrics?: Metrics;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly keepAliveTimeoutMs?: number;
  readonly maxHeaderBytes?: number;
  readonly maxConnections?: number;
  /** 0 for no limit. */
  readonly connectionsPerAddress?: number;
  /** How fast clients must read. */
  readonly readingPace?: ReadingPace;
  /** How long `stop` waits for running requests before it cuts them. */
  readonly drainMs?: number;
}

export interface HttpServer {
  readonly port: number;
  /** From now on every response closes its connection: clients open none here that they would keep. */
  leave(): void;
  stop(): Promise<void>;
}

const CONNECTION_CHECK_MS = 1_000;
const MAX_CONNECTIONS = 2_000;
const CONNECTIONS_PER_ADDRESS = 200;
/** The share of the connections that is kept for addresses with few, a fifth. */
const RESERVED_SHARE = 5;
const FEW_CONNECTIONS = 10;
const READING_PACE: ReadingPace = { withinMs: 30_000, bytesPerSecond: 10_000 };

/**
 * Serves an application. `stop` accepts no new connections, closes idle ones, and waits for running requests.
 * @throws `invalid_config` if the port is in use
 */
export async function startHttpServer(app: Koa, options: HttpServerOptions): Promise<HttpServer> {
  const limits = {
    headersTimeout: options.headersTimeoutMs ?? 5_000,
    requestTimeout: options.requestTimeoutMs ?? 60_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16 * 1_024,
  };
  const server = createServer({
    ...limits,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 30_000,
    connectionsCheckingInterval: CONNECTION_CHECK_MS,
    insecureHTTPParser: false,
    // Node's own response has no body; the pipeline refuses a missing Host itself.
    requireHostHeader: false,
  });
  limit(server, options);
  cutSlow(server, options);
  const serving = serve(server, app, { log: options.log, limits });
  const port = await listen(server, options);
  const leave = (): void => {
    serving.isLeaving = true;
    for (const response of serving.running.list()) {
      if (!response.headersSent) response.setHeader("Connection", "close");
    }
  };
  return {
    port,
    leave,
    stop: () => {
      leave();
      return stop(server, options.drainMs ?? 15_000);
    },
  };
}

function limit(server: Server, { metrics, ...options }: HttpServerOptions): void {
  const refused = metrics?.counter({
    name: "http_connections_refused_total",
    help: "Connections closed at once: over the limit of an address, or of the server",
    labels: ["reason"],
  });
  // From 0 on, so that the first one counts as an increase.
  for (const reason of REFUSALS) refused?.inc({ reason }, 0);
  const total = options.maxConnections ?? MAX_CONNECTIONS;
  limitConnections(server, {
    total,
    perAddress: options.connectionsPerAddress ?? CONNECTIONS_PER_ADDRESS,
    reserved: Math.floor(total / RESERVED_SHARE),
    few: FEW_CONNECTIONS,
    onRefused: (reason) => refused?.inc({ reason }),
  });
}

function cutSlow(server: Server, { metrics, readingPace = READING_PACE }: HttpServerOptions): void {
  const cut = metrics?.counter({
    name: "http_slow_readers_cut_total",
    help: "Connections closed because the client did not read its response, or too slowly",
  });
  cutSlowReaders(server, readingPace, () => cut?.inc());
}

interface Serving {
  readonly running: RunningResponses;
  isLeaving: boolean;
}

interface Serves {
  readonly log: Logger;
  readonly limits: RequestLimits;
}

function serve(server: Server, app: Koa, { log, limits }: Serves): Serving {
  const running = new RunningResponses();
  const serving: Serving = { running, isLeaving: false };
  const handle = app.callback();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const index = running.add(response);
    if (response.socket === null) closeWithConnection(request, response);
    response.once("close", () => {
      running.remove(index);
      if (!server.listening) server.closeIdleConnections();
    });
    if (serving.isLeaving) response.setHeader("Connection", "close");
    void handle(request, response);
  };
  // 100 Continue is sent when the body is read, after the checks that do not need it. Without it a client
  // may or may not send the body, so the connection cannot be reused.
  const onExpect = (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader("Connection", "close");
    onRequest(request, response);
  };
  server.on("request", onRequest);
  server.on("checkContinue", onExpect);
  server.on("checkExpectation", onExpect);
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    log.debug({ reason: error.code }, "a request could not be parsed");
    const own = running.list().find((response) => response.socket === socket);
    answerClientError(error, socket, { answering: own?.headersSent ?? false, limits });
  });
  return serving;
}

/** Node closes the response that is being written with its connection; those of pipelined requests are closed here. */
function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  const close = (): void => {
    response.destroy();
    response.emit("close");
  };
  socket.setMaxListeners(0);
  socket.once("close", close);
  response.once("close", () => socket.off("close", close));
}

async function stop(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(cut);
}
