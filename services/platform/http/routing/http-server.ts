import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type Koa from "koa";
import { AppError } from "../../errors.ts";
import type { HealthChecks } from "../../health.ts";
import type { Logger } from "../../logger.ts";
import type { Metrics } from "../../metrics.ts";
import { limitConnections, REFUSALS } from "./connection-limits.ts";
import { listen } from "./listen.ts";

interface HttpServerOptions {
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

/**
 * The responses in progress, in places that are used again. A Set that changes with each request would keep what has ended
 * from being freed early: the tables that it outgrows refer to one another.
 */
export class RunningResponses {
  readonly #responses: (ServerResponse | null)[] = [];
  readonly #free: number[] = [];

  /** Returns its place, for `remove`. */
  add(response: ServerResponse): number {
    const index = this.#free.pop() ?? this.#responses.length;
    this.#responses[index] = response;
    return index;
  }

  remove(index: number): void {
    this.#responses[index] = null;
    this.#free.push(index);
  }

  /** Those in progress, in any order. */
  list(): ServerResponse[] {
    return this.#responses.filter((response) => response !== null);
  }
}

const LINGER_MS = 1_000;

interface Refusal {
  readonly status: string;
  readonly code: string;
  readonly detail: string;
}

const MALFORMED: Refusal = {
  status: "400 Bad Request",
  code: "invalid_header",
  detail: "This is not a well-formed HTTP request.",
};

/** What Node's parser takes of a request: times in ms, and the bytes of its first line and headers. */
interface RequestLimits {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly maxHeaderSize: number;
}

const NOT_ENCODED: Refusal = {
  status: "400 Bad Request",
  code: "invalid_header",
  detail: "The path or the query has a character that a URL cannot have: percent-encode it.",
};

function refusalOf(code: string | undefined, limits: RequestLimits): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") {
    return {
      status: "431 Request Header Fields Too Large",
      code: "invalid_header",
      detail: `The path and the headers are larger than ${limits.maxHeaderSize} bytes.`,
    };
  }
  if (code === "HPE_INVALID_URL") return NOT_ENCODED;
  if (code !== "ERR_HTTP_REQUEST_TIMEOUT") return MALFORMED;
  const [headers, whole] = [limits.headersTimeout / 1_000, limits.requestTimeout / 1_000];
  return {
    status: "408 Request Timeout",
    code: "request_timeout",
    detail: `The headers did not arrive within ${headers} s, or the whole request within ${whole} s.`,
  };
}

interface Connection {
  /** Whether a response is being written already. */
  readonly answering: boolean;
  readonly limits: RequestLimits;
}

/** Responds to what Node's parser refused before there is a request, and closes the connection. */
function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  { answering, limits }: Connection,
): void {
  if (socket.writableEnded) return;
  if (!socket.writable || answering || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  socket.end(textOf(refusalOf(error.code, limits)));
  // Closing at once would reset the connection before the response is read.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function textOf({ status, code, detail }: Refusal): string {
  const requestId = randomUUID();
  const body = JSON.stringify({
    type: `urn:numberporting:problem:${code}`,
    title: status.slice(4),
    status: Number(status.slice(0, 3)),
    detail,
    code,
    request_id: requestId,
  });
  return [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Request-Id: ${requestId}`,
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}

/** How fast a client reads what is there for it. */
interface ReadingPace {
  /** How long it may be slower before its connection is closed. */
  readonly withinMs: number;
  readonly bytesPerSecond: number;
}

/** Since when there was always something to read, and how much was read by then. */
interface Unread {
  since: number;
  bytes: number;
}

const LOOKS_PER_PERIOD = 10;

/**
 * Closes the connections of clients that read slower than the pace, or not at all; an idle connection has nothing to
 * read. All are looked at together, so that a request costs nothing.
 */
export function cutSlowReaders(server: Server, pace: ReadingPace, onCut: () => void): void {
  const sockets = new Map<Socket, Unread | null>();
  const look = (): void => {
    const now = performance.now();
    for (const [socket, unread] of sockets) {
      if (socket.writableLength === 0) sockets.set(socket, null);
      else if (unread === null) sockets.set(socket, { since: now, bytes: bytesRead(socket) });
      else if (isTooSlow(socket, unread, { pace, now })) {
        onCut();
        socket.destroy();
      }
    }
  };
  const looks = setInterval(look, pace.withinMs / LOOKS_PER_PERIOD);
  looks.unref();
  server.on("connection", (socket) => {
    sockets.set(socket, null);
    socket.once("close", () => sockets.delete(socket));
  });
  server.once("close", () => clearInterval(looks));
}

/** Judges each period by itself: what was read fast before does not excuse a standstill. */
function isTooSlow(
  socket: Socket,
  unread: Unread,
  { pace, now }: { readonly pace: ReadingPace; readonly now: number },
): boolean {
  const passedMs = now - unread.since;
  if (passedMs < pace.withinMs) return false;
  const bytes = bytesRead(socket);
  if (((bytes - unread.bytes) * 1_000) / passedMs < pace.bytesPerSecond) return true;
  unread.since = now;
  unread.bytes = bytes;
  return false;
}

/** What the kernel has taken, which is what the client has read and what fits between the two. */
function bytesRead(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}

/** For longer than whoever routes requests here takes to notice that it is not ready. */
const LEAVE_MS = 3_000;

/**
 * The beginning of a front door's end: it is not ready any more and keeps no connection, but serves what still comes, so
 * that no request is refused or cut while others take its place.
 */
export class Departure {
  #hasBegun = false;

  /** Fails from the beginning of the departure. */
  readonly checks: HealthChecks = {
    stopping: () =>
      this.#hasBegun
        ? Promise.reject(new AppError("unavailable", "The process is stopping."))
        : Promise.resolve(),
  };

  /** Resolves when the server can be stopped. */
  async leave(server: { leave(): void }): Promise<void> {
    this.#hasBegun = true;
    server.leave();
    await pause(LEAVE_MS);
  }
}
