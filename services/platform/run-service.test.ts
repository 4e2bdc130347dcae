import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";

import { afterEach, describe, expect, it } from "@jest/globals";

import { createLogger } from "./logger.ts";
import { runService, type ServiceHost, type StartService } from "./run-service.ts";

const log = createLogger("test", "silent");

class FakeHost extends EventEmitter implements ServiceHost {
  readonly env: NodeJS.ProcessEnv;
  readonly stdin = new PassThrough();
  exitCode: number | undefined = undefined;
  readonly exited: Promise<number>;
  exit: (code: number) => void = () => undefined;

  constructor(env: NodeJS.ProcessEnv = {}) {
    super();
    this.env = env;
    this.exited = new Promise((resolve) => (this.exit = resolve));
  }
}

/** Runs a service that `ask` stops as soon as it has started. */
async function run(host: FakeHost, ask: () => void, start?: StartService): Promise<string[]> {
  const calls: string[] = [];
  const started: StartService = (signal) => {
    setImmediate(ask);
    signal.addEventListener("abort", () => calls.push("aborted"));
    return Promise.resolve({ stop: () => Promise.resolve(void calls.push("stopped")) });
  };
  await runService("test", start ?? started, { host, log, drainMs: 20, leftoversMs: 5 });
  return calls;
}

describe("runService", () => {
  let host = new FakeHost();
  afterEach(() => host.exited);

  it.each(["SIGTERM", "SIGINT"])("stops once on %s and exits with 0", async (signal) => {
    host = new FakeHost();
    const calls = await run(host, () => {
      host.emit(signal);
      host.emit("SIGTERM");
    });
    expect(calls).toEqual(["aborted", "stopped"]);
    expect(host.exitCode).toBe(0);
  });

  it("stops when its parent exits, if configured", async () => {
    host = new FakeHost({ STOP_WITH_PARENT: "true" });
    expect(await run(host, () => host.stdin.end())).toEqual(["aborted", "stopped"]);
    expect(host.exitCode).toBe(0);
  });

  it("leaves stdin alone otherwise", async () => {
    host = new FakeHost();
    await run(host, () => host.emit("SIGTERM"));
    expect(host.stdin.listenerCount("end")).toBe(0);
  });

  it.each<[string, StartService]>([
    ["the start fails", () => Promise.reject(new Error("no"))],
    ["the stop fails", () => Promise.resolve({ stop: () => Promise.reject(new Error("no")) })],
    [
      "the stop takes too long",
      () => Promise.resolve({ stop: () => new Promise(() => undefined) }),
    ],
    ["the start never ends", () => new Promise(() => undefined)],
  ])("exits with 1 if %s", async (_, start) => {
    host = new FakeHost();
    setImmediate(() => host.emit("SIGTERM"));
    await run(host, () => undefined, start);
    expect(host.exitCode).toBe(1);
    expect(await host.exited).toBe(1);
  });

  it("exits with 0 if a start is aborted by a requested stop", async () => {
    host = new FakeHost();
    setImmediate(() => host.emit("SIGTERM"));
    await run(
      host,
      () => undefined,
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    );
    expect(host.exitCode).toBe(0);
  });

  it.each(["uncaughtException", "unhandledRejection"])("exits with 1 on %s", async (event) => {
    host = new FakeHost();
    const running = run(host, () => host.emit(event, new Error("escaped")));
    expect(await host.exited).toBe(1);
    host.emit("SIGTERM");
    await running;
  });
});
