import { createServer, type IncomingMessage } from "node:http";
import { AppError } from "./errors.ts";
import { toProblem } from "./http/problem.ts";
import { listen } from "./http/routing/listen.ts";
import { readRequestId } from "./http/routing/observe-request.ts";
import type { Logger } from "./logger.ts";
import type { Metrics, MetricsPage } from "./metrics.ts";

const CHECK_DEADLINE_MS = 2_000;

/** Checks by the dependency's name (`database`, `broker`): each rejects if it cannot be reached. */
export type HealthChecks = Readonly<Record<string, () => Promise<void>>>;

/** The names of unavailable dependencies, sorted; empty if all are available. */
export type Readiness = () => Promise<readonly string[]>;

/**
 * Runs all checks concurrently, each with a deadline of 2 s. Concurrent callers share one run, so that
 * unauthenticated probes do not load the dependencies. A change is logged once; each page of metrics shows all.
 */
export function createReadiness(
  checks: HealthChecks,
  {
    log,
    metrics,
    deadlineMs = CHECK_DEADLINE_MS,
  }: { readonly log: Logger; readonly metrics: Metrics; readonly deadlineMs?: number },
): Readiness {
  const ready = metrics.gauge({
    name: "dependency_ready",
    help: "Whether a dependency that the process needs to be ready answers: 1 or 0",
    labels: ["dependency"],
  });
  let running: Promise<readonly string[]> | null = null;
  let last = "";
  const run = async (): Promise<readonly string[]> => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => ({
        name,
        error: await failureOf(check, deadlineMs),
      })),
    );
    const failed = results.filter(({ error }) => error !== null);
    const unreachable = failed.map(({ name }) => name).sort();
    if (unreachable.join() !== last) {
      if (unreachable.length === 0) log.info("ready again");
      for (const { name, error } of failed) log.warn({ dependency: name, err: error }, "not ready");
    }
    last = unreachable.join();
    for (const { name, error } of results) ready.set({ dependency: name }, error === null ? 1 : 0);
    return unreachable;
  };
  const readiness: Readiness = () =>
    (running ??= run().finally(() => {
      running = null;
    }));
  metrics.beforePage(readiness);
  return readiness;
}

async function failureOf(check: () => Promise<void>, deadlineMs: number): Promise<Error | null> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AppError("unavailable", `No response within ${deadlineMs} ms`));
    }, deadlineMs);
  });
  try {
    await Promise.race([check(), deadline]);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error("The check failed", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** The 503 of `/readyz`: names the dependency, never its address or error. */
export function notReady(unreachable: readonly string[]): AppError {
  return new AppError("unavailable", `Not ready: ${unreachable.join(", ")}.`, {
    faults: unreachable.map((name) => ({ code: "dependency_away", detail: name })),
  });
}

interface HealthServerOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
}

export interface HealthServer {
  readonly port: number;
  stop(): Promise<void>;
}

/** Serves `/healthz`, `/readyz` and `/metrics` for a service without another HTTP server. */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const { readiness, metrics } = options;
  const server = createServer((request, response) => {
    const requestId = readRequestId(request.headers["request-id"]);
    response.setHeader("Request-Id", requestId);
    find(request, readiness, metrics).then(
      ({ type, text }) => response.writeHead(200, { "Content-Type": type }).end(text),
      (error: unknown) => {
        const { status, headers, body } = toProblem(error, requestId);
        const type = { "Content-Type": "application/problem+json" };
        response.writeHead(status, { ...headers, ...type }).end(JSON.stringify(body));
      },
    );
  });
  const port = await listen(server, options);
  return {
    port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function find(
  request: IncomingMessage,
  readiness: Readiness,
  metrics: Metrics,
): Promise<MetricsPage> {
  if (request.method !== "GET" && request.method !== "HEAD") {
    const allow = { Allow: "GET, HEAD" };
    throw new AppError("method_not_allowed", "Allowed here: GET, HEAD.", { headers: allow });
  }
  const [path] = (request.url ?? "").split("?", 1);
  if (path === "/healthz") return json({ status: "alive" });
  if (path === "/metrics") return metrics.page(request.headers.accept);
  if (path !== "/readyz") throw new AppError("not_found", "Not found.");
  const unreachable = await readiness();
  if (unreachable.length > 0) throw notReady(unreachable);
  return json({ status: "ready" });
}

function json(body: unknown): MetricsPage {
  return { type: "application/json", text: JSON.stringify(body) };
}

interface MetricsConfig {
  readonly LISTEN_HOST: string;
  readonly HEALTH_PORT: number;
  readonly METRICS_PUBLIC: boolean;
}

/**
 * The listener of a front door's metrics, apart from the one for customers or operators, where METRICS_PUBLIC is false;
 * else nothing.
 */
export async function startMetricsListener(
  config: MetricsConfig,
  { log, ...parts }: Pick<HealthServerOptions, "readiness" | "metrics"> & { readonly log: Logger },
): Promise<{ stop(): Promise<void> }> {
  if (config.METRICS_PUBLIC) return { stop: () => Promise.resolve() };
  const at = { host: config.LISTEN_HOST, port: config.HEALTH_PORT };
  const server = await startHealthServer({ ...at, ...parts });
  log.info({ port: server.port }, "metrics are served on a port of their own");
  return server;
}
