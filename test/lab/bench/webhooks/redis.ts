import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "../../../../infra/start/supervisor/ports.ts";
import { watchedCommand } from "../../../../infra/start/supervisor/processes.ts";
import { until } from "../../../../infra/start/supervisor/until.ts";
import { requireProgram } from "../../../support/programs/debian-program.ts";

const START_MS = 10_000;

export interface Redis {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** How often the file to which Redis appends every write is flushed to disk. */
export type Flushed = "everysec" | "always";

/** The run's own Redis. */
export async function startRedis(folder: string, appendfsync: Flushed): Promise<Redis> {
  requireProgram("redis-server");
  const [port, dir] = [await freePort(), join(folder, "redis")];
  mkdirSync(dir, { recursive: true });
  const settings = { port, bind: "127.0.0.1", dir, save: "", appendonly: "yes", appendfsync };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const signals = { stop: "SIGTERM", force: "SIGKILL" } as const;
  const program = watchedCommand({ command: "redis-server", args }, signals);
  const stdio = ["pipe", "ignore", "ignore"] as const;
  const child = spawn(program.command, program.args, { detached: true, stdio: [...stdio] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await until(() => answers(port), { timeoutMs: START_MS, what: "Redis to answer" });
  return {
    pid: child.pid ?? 0,
    port,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
      child.stdin.end("\n");
    },
  };
}
