import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type Koa from "koa";

import type { Logger } from "../../logger.ts";
import { answerClientError } from "../problem/client-error.ts";
import { listen } from "./listen.ts";

export interface HttpServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly log: Logger;
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly keepAliveTimeoutMs?: number;
  readonly maxHeaderBytes?: number;
  readonly maxConnections?: number;
  /** How long `stop` waits for running requests before it cuts them. */
  readonly drainMs?: number;
}

export interface HttpServer {
  readonly port: number;
  stop(): Promise<void>;
}

const CONNECTION_CHECK_MS = 1_000;

/**
 * Serves an application. `stop` accepts no new connections, closes idle ones, and waits for running requests.
 * @throws `invalid_config` if the port is in use
 */
export async function startHttpServer(app: Koa, options: HttpServerOptions): Promise<HttpServer> {
  const server = createServer({
    headersTimeout: options.headersTimeoutMs ?? 10_000,
    requestTimeout: options.requestTimeoutMs ?? 60_000,
    keepAliveTimeout: options.keepAliveTimeoutMs ?? 30_000,
    maxHeaderSize: options.maxHeaderBytes ?? 16 * 1_024,
    connectionsCheckingInterval: CONNECTION_CHECK_MS,
    insecureHTTPParser: false,
    // Node's own response has no body; the pipeline refuses a missing Host itself.
    requireHostHeader: false,
  });
  server.maxConnections = options.maxConnections ?? 2_000;
  const running = serve(server, app, options.log);
  const port = await listen(server, options);
  return { port, stop: () => stop(server, running, options.drainMs ?? 15_000) };
}

/** The responses in progress. */
type Running = ReadonlySet<ServerResponse>;

function serve(server: Server, app: Koa, log: Logger): Running {
  const running = new Set<ServerResponse>();
  const handle = app.callback();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    running.add(response);
    response.once("close", () => {
      running.delete(response);
      if (!server.listening) server.closeIdleConnections();
    });
    if (!server.listening) response.setHeader("Connection", "close");
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
    const own = [...running].find((response) => response.socket === socket);
    answerClientError(error, socket, own?.headersSent ?? false);
  });
  return running;
}

async function stop(server: Server, running: Running, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  for (const response of running) {
    if (!response.headersSent) response.setHeader("Connection", "close");
  }
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(cut);
}
