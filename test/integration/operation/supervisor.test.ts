import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { lockDataFolder, PidFiles } from "../../../infra/start/supervisor/pid-files.ts";
import { ListenerPort } from "../../../infra/start/supervisor/ports.ts";
import { markOf, watchedCommand } from "../../../infra/start/supervisor/processes.ts";
import { Supervisor } from "../../../infra/start/supervisor/supervisor.ts";
import { until } from "../../../infra/start/supervisor/until.ts";

/**
 * Answers with its pid and those of its children. STUBBORN: ignores SIGTERM; CHILD: starts a child process; PIDS: the
 * file in which it notes its pid; /block: blocks its event loop.
 */
const STUB = `
const { spawn } = require("node:child_process");
const port = Number(process.env.API_PORT ?? process.env.HEALTH_PORT);
if (process.env.PIDS) require("node:fs").appendFileSync(process.env.PIDS, process.pid + " ");
const child = process.env.CHILD ? spawn("sleep", ["600"], { stdio: "ignore" }) : null;
process.on("SIGTERM", () => { if (!process.env.STUBBORN) process.exit(0); });
if (!process.env.STUBBORN) process.stdin.on("end", () => process.exit(0)).resume();
require("node:http").createServer((request, response) => {
  while (request.url === "/block");
  response.end(JSON.stringify({ pid: process.pid, child: child?.pid ?? null, name: process.env.NAME }));
}).listen(port, "127.0.0.1");
`;

interface Answer {
  readonly pid: number;
  readonly child: number | null;
  readonly name?: string;
}

const within = (what: string) => ({ timeoutMs: 10_000, what });

let folder: string;
let supervisor: Supervisor;
const lines: string[] = [];

async function ask(url: string): Promise<Answer> {
  return (await (await fetch(`${url}/readyz`)).json()) as Answer;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porting-supervisor-"));
  for (const name of ["api", "event-log"]) {
    mkdirSync(join(folder, "services", name), { recursive: true });
    writeFileSync(join(folder, "services", name, "main.ts"), STUB);
  }
  lines.length = 0;
  supervisor = supervise();
});

function supervise(hungAfterMs = 60_000): Supervisor {
  return new Supervisor({
    dataDir: folder,
    env: { PATH: process.env["PATH"], NAME: "all" },
    log: (line) => lines.push(line),
    servicesFolder: join(folder, "services"),
    hungAfterMs,
  });
}

afterEach(async () => {
  await supervisor.stop(0);
  rmSync(folder, { recursive: true, force: true });
});

describe("Supervisor", () => {
  it("runs copies of a service, each with its own variables and port", async () => {
    const first = supervisor.start("api");
    const second = supervisor.start("api#2", { env: { NAME: "second" } });
    await supervisor.whenReady();
    expect((await ask(first.url())).name).toBe("all");
    expect((await ask(second.url())).name).toBe("second");
    expect(first.url()).not.toBe(second.url());
  });

  it("starts a killed service again, an HTTP service on the same port", async () => {
    const service = supervisor.start("api", { env: { CHILD: "1" } });
    await supervisor.whenReady();
    const before = { url: service.url(), ...(await ask(service.url())) };
    service.program.kill();
    await supervisor.whenReady();
    const after = await ask(service.url());
    expect(after.pid).not.toBe(before.pid);
    expect(service.url()).toBe(before.url);
    expect(lines).toEqual(["api was ended by SIGKILL; restarting it in 100 ms"]);
    await until(
      () => markOf(before.child ?? 0) === null,
      within("the dead service's child to end"),
    );
  });

  it.each([
    ["frozen", (_url: string, pid: number) => process.kill(pid, "SIGSTOP")],
    ["blocked", (url: string) => void fetch(`${url}/block`).catch(() => undefined)],
  ])("starts a %s service again, but not one that is paused on purpose", async (_how, hang) => {
    supervisor = supervise(1_000);
    const [hung, paused] = [supervisor.start("api"), supervisor.start("event-log")];
    await supervisor.whenReady();
    const before = { hung: hung.program.pid ?? 0, paused: paused.program.pid };
    paused.program.pause();
    hang(hung.url(), before.hung);
    await until(() => hung.program.deaths === 1, within("the hung service to be ended"));
    await hung.program.whenReady(10_000);
    expect(hung.program.pid).not.toBe(before.hung);
    expect(paused.program.pid).toBe(before.paused);
    expect(lines).toEqual([
      "api has not answered for 1 s; ending it",
      "api was ended by SIGKILL; restarting it in 100 ms",
    ]);
  });

  it("leaves no process running whose pid file cannot be written", async () => {
    const pids = join(folder, "pids");
    const run = join(folder, "run");
    rmSync(run, { recursive: true });
    const { program } = supervisor.start("api", { env: { PIDS: pids } });
    await until(() => program.deaths >= 2, within("two starts without a pid file"));
    mkdirSync(run);
    await program.whenReady(10_000);
    const started = readFileSync(pids, "utf8").trim().split(" ").map(Number);
    expect(started.filter((pid) => markOf(pid) !== null)).toEqual([program.pid]);
    expect(lines[0]).toMatch(/^api could not be started \(.*ENOENT/);
  });

  it("keeps a stopped service stopped until it is started again", async () => {
    const { program } = supervisor.start("event-log");
    await supervisor.whenReady();
    await program.stop(5_000);
    expect(program.pid).toBeNull();
    program.start();
    await program.whenReady(10_000);
    expect(program.pid).not.toBeNull();
    expect(lines).toEqual([]);
  });

  it("kills a service that does not stop in time, with all its children", async () => {
    const service = supervisor.start("api", { env: { STUBBORN: "1", CHILD: "1" } });
    await supervisor.whenReady();
    const { pid, child } = await ask(service.url());
    service.program.pause();
    await supervisor.stop(200);
    expect(markOf(pid)).toBeNull();
    await until(() => markOf(child ?? 0) === null, within("the child to end"));
  });
});

describe("ListenerPort", () => {
  it("takes the next port while its own is in use, except where it is fixed", async () => {
    const port = await ListenerPort.free();
    const other = createServer();
    const number = port.number;
    await new Promise<void>((resolve) => other.listen(number, "127.0.0.1", resolve));
    expect(await port.moveIfTaken()).not.toBe(number);
    expect(await ListenerPort.fixed(number).moveIfTaken()).toBe(number);
    other.close();
  });
});

describe("watchedCommand", () => {
  it("ends the program when its parent's pipe closes", async () => {
    const { command, args } = watchedCommand(
      { command: "sleep", args: ["600"] },
      { stop: "SIGTERM", force: "SIGKILL" },
    );
    const child = spawn(command, args, { stdio: ["pipe", "ignore", "ignore"], detached: true });
    const ended = new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
    child.stdin.destroy();
    expect(await ended).toBe("SIGTERM");
  });
});

describe("PidFiles", () => {
  it("ends the leftover process that a file names, never a later process with the same pid", async () => {
    const pidFiles = new PidFiles(join(folder, "run"));
    const spawnSleep = () => spawn("sleep", ["600"], { stdio: "ignore", detached: true });
    const [leftover, innocent] = [spawnSleep(), spawnSleep()];
    const [leftoverPid = 0, innocentPid = 0] = [leftover.pid, innocent.pid];
    pidFiles.write("kafka", leftoverPid, "SIGTERM");
    const file = JSON.stringify({ pid: innocentPid, began: "long ago", stop_signal: "SIGTERM" });
    writeFileSync(join(folder, "run", "registry.json"), file);
    writeFileSync(join(folder, "run", "after-power-failure.json"), "");
    await pidFiles.endLeftovers(() => undefined);
    expect(markOf(leftoverPid)).toBeNull();
    expect(markOf(innocentPid)).not.toBeNull();
    innocent.kill("SIGKILL");
  });
});

describe("lockDataFolder", () => {
  it("refuses a second holder in one sentence until the first releases it", () => {
    const release = lockDataFolder(folder);
    expect(() => lockDataFolder(folder)).toThrow(/Another npm start \(pid \d+\) already runs on/);
    release();
    lockDataFolder(folder)();
  });

  it.each([
    ["of a dead holder", JSON.stringify({ pid: process.pid, began: "long ago" })],
    ["that a power failure has emptied", ""],
  ])("takes over the lock %s", (_which, text) => {
    writeFileSync(join(folder, "lock.json"), text);
    lockDataFolder(folder)();
  });
});
