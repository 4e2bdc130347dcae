import type { Readable } from "node:stream";

import { createLogger, type Logger } from "./logger.ts";
import { startTracing } from "./tracing/start-tracing.ts";
import type { Tracing } from "./tracing/tracing.ts";

const DRAIN_MS = 20_000;
const LEFTOVERS_MS = 1_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"];

/** A started service; `stop` ends its parts in reverse order and lets running work finish. */
export interface RunningService {
  stop(): Promise<void>;
}

/** `signal` is aborted as soon as a stop is requested, even during the start; `tracing` is null where it is off. */
export type StartService = (
  signal: AbortSignal,
  log: Logger,
  tracing: Tracing | null,
) => Promise<RunningService>;

/** The parts of the process that are used, so that a test can pass its own. */
export interface ServiceHost {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: Readable;
  exitCode?: number | string | null | undefined;
  on(event: string, listener: (reason: unknown) => void): unknown;
  exit(code: number): void;
}

interface RunServiceOptions {
  readonly host?: ServiceHost;
  readonly log?: Logger;
  readonly drainMs?: number;
  readonly leftoversMs?: number;
}

/**
 * Runs a service: starts it, waits for SIGTERM, SIGINT or (with STOP_WITH_PARENT=true) the end of stdin,
 * stops it within 20 s and sets the exit code: 0, or 1 if the start failed, the stop failed or took too
 * long, or an error was uncaught. Reads LOG_LEVEL, STOP_WITH_PARENT and the variables of tracing.
 */
export async function runService(
  name: string,
  start: StartService,
  options: RunServiceOptions = {},
): Promise<void> {
  const { host = process, drainMs = DRAIN_MS, leftoversMs = LEFTOVERS_MS } = options;
  const level = host.env["LOG_LEVEL"] ?? "info";
  const log = options.log ?? createLogger(name, LOG_LEVELS.includes(level) ? level : "info");
  const stopping = new AbortController();
  catchEscapes(host, log);
  const asked = stopAsked(host, (reason) => {
    if (stopping.signal.aborted) return;
    log.info({ reason }, "stopping");
    stopping.abort();
  });
  // Reconnecting sockets may briefly leave no handle, and an empty event loop would end the process.
  const alive = setInterval(() => undefined, LONGEST_TIMER_MS);
  const begin = (signal: AbortSignal) => startTraced(name, start, { env: host.env, signal, log });
  const failed = await live({ start: begin, log, signal: stopping.signal, asked, drainMs });
  clearInterval(alive);
  host.exitCode = failed ? 1 : 0;
  if (host.env["STOP_WITH_PARENT"] === "true") host.stdin.destroy();
  setTimeout(
    () => {
      if (!failed) log.warn("forced to exit: something was still running");
      host.exit(failed ? 1 : 0);
    },
    failed ? 0 : leftoversMs,
  ).unref();
}

/** Starts the service with its traces, which end after it: spans of the stop are exported too. */
async function startTraced(
  name: string,
  start: StartService,
  {
    env,
    signal,
    log,
  }: { readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal; readonly log: Logger },
): Promise<RunningService> {
  const tracing = await startTracing({ service: name, env, log });
  const service = await start(signal, log, tracing);
  if (tracing === null) return service;
  return {
    stop: async () => {
      try {
        await service.stop();
      } finally {
        await tracing.stop();
      }
    },
  };
}

interface Life {
  readonly start: (signal: AbortSignal) => Promise<RunningService>;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly asked: Promise<void>;
  readonly drainMs: number;
}

/** Returns whether anything failed between the start and the end of the stop. */
async function live({ start, log, signal, asked, drainMs }: Life): Promise<boolean> {
  const starting = start(signal).then(
    (service) => {
      if (!signal.aborted) log.info("started");
      return service;
    },
    (error: unknown) => {
      if (!signal.aborted) log.fatal({ err: error }, "start failed");
      return null;
    },
  );
  const early = await Promise.race([starting, asked]);
  if (early === null && !signal.aborted) return true;
  await asked;
  return !(await stopInTime(starting, log, drainMs));
}

async function stopInTime(
  starting: Promise<RunningService | null>,
  log: Logger,
  drainMs: number,
): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, drainMs, "late");
  });
  const drained = starting.then((service) => service?.stop()).then(() => "stopped" as const);
  try {
    if ((await Promise.race([drained, late])) === "stopped") {
      log.info("stopped");
      return true;
    }
    log.error({ drain_ms: drainMs }, "not stopped in time; work was cut off");
  } catch (error) {
    log.error({ err: error }, "stop failed");
  } finally {
    clearTimeout(timer);
  }
  return false;
}

function stopAsked(host: ServiceHost, onAsked: (reason: string) => void): Promise<void> {
  return new Promise((resolve) => {
    const ask = (reason: string) => {
      onAsked(reason);
      resolve();
    };
    host.on("SIGTERM", () => ask("SIGTERM"));
    host.on("SIGINT", () => ask("SIGINT"));
    if (host.env["STOP_WITH_PARENT"] !== "true") return;
    for (const event of ["end", "close", "error"]) host.stdin.on(event, () => ask("parent gone"));
    host.stdin.resume();
  });
}

/** After an uncaught error the state is unknown; the supervisor starts a clean process. */
function catchEscapes(host: ServiceHost, log: Logger): void {
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    host.on(event, (reason) => {
      const error = reason instanceof Error ? reason : new Error("Not an Error", { cause: reason });
      log.fatal({ err: error, event }, "uncaught error");
      host.exitCode = 1;
      host.exit(1);
    });
  }
}
