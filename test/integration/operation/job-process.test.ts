import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it } from "@jest/globals";
import { projectRoot } from "../../../infra/project-root.ts";
import { isAlive, markOf } from "../../../infra/start/supervisor/processes.ts";
import { JobProcess } from "../../../services/platform/jobs/job-process.ts";
import { eventually } from "../../support/eventually.ts";

const HOST = pathToFileURL(join(projectRoot, "services", "platform", "jobs", "job-host.ts"));

const ECHO = `
  import { parentPort } from "node:worker_threads";
  const kept = [];
  parentPort.on("message", (job) => {
    if (job === "throw") setTimeout(() => { throw new Error("broken"); }, 1);
    else if (job === "hang") for (;;) ;
    else if (job === "exit") process.exit(0);
    else if (job === "heap") for (;;) kept.push({ kept });
    else if (job === "buffers") for (;;) kept.push(new Uint8Array(1_000_000).fill(1));
    else if (job === "little" || job === "much") {
      kept.push(new Uint8Array(job === "much" ? 100_000_000 : 1_000_000).fill(1));
      parentPort.postMessage("kept");
    }
    else if (job === "variables") parentPort.postMessage(Object.keys(process.env).join());
    else parentPort.postMessage(job === "process" ? process.pid : job);
  });
  parentPort.postMessage("ready");`;

const started: JobProcess<string, unknown>[] = [];

const script = new URL(`data:text/javascript,${encodeURIComponent(ECHO)}`);

/** Starts a process as a `JobProcess` does, prints its pid and leaves it with a job that does not end. */
const PARENT = `
  const [host, ...args] = process.argv.slice(1);
  const child = require("node:child_process").fork(new URL(host), args, { serialization: "advanced" });
  child.on("message", () => child.send({ job: "hang" }, () => console.log(child.pid)));`;

function start(limits: { readonly jobMs?: number; readonly recycleAboveMb?: number } = {}) {
  const options = { script, host: HOST, jobMs: 20_000, heapMb: 32, memoryMb: 128, ...limits };
  const jobs = new JobProcess<string, unknown>(options);
  started.push(jobs);
  return jobs;
}

afterEach(() => {
  for (const jobs of started.splice(0)) jobs.stop();
});

describe("a job process", () => {
  it("runs jobs in one process that is not ours and has none of our variables", async () => {
    const jobs = start();
    expect(await jobs.run("a")).toBe("a");
    const pid = await jobs.run("process");
    expect(await jobs.run("process")).toBe(pid);
    expect(pid).not.toBe(process.pid);
    const names = String(await jobs.run("variables")).split(",");
    expect(names.filter((name) => name in process.env && !name.startsWith("NODE_"))).toEqual([]);
  });

  it.each(["throw", "exit"])("survives a job that makes its thread %s", async (job) => {
    const jobs = start();
    const before = await jobs.run("process");
    await expect(jobs.run(job)).rejects.toMatchObject({ why: "crash" });
    expect(await jobs.run("process")).not.toBe(before);
  });

  it("is ended after the job's time, and replaced", async () => {
    const jobs = start({ jobMs: 1_000 });
    await expect(jobs.run("hang")).rejects.toMatchObject({ why: "late" });
    expect(await jobs.run("a")).toBe("a");
  });

  it.each(["heap", "buffers"])("is ended over its memory by %s, which is not ours", async (job) => {
    const jobs = start();
    const before = process.memoryUsage.rss();
    await expect(jobs.run(job)).rejects.toMatchObject({ why: "memory" });
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
    expect(await jobs.run("a")).toBe("a");
  });

  it("leaves the limits of another one alone", async () => {
    const [greedy, modest] = [start(), start()];
    const ended = expect(greedy.run("buffers")).rejects.toMatchObject({ why: "memory" });
    expect(await modest.run("a")).toBe("a");
    await ended;
    expect(await modest.run("b")).toBe("b");
  });

  it("is replaced after a job of which it kept much memory", async () => {
    const jobs = start({ recycleAboveMb: 64 });
    const before = await jobs.run("process");
    expect(await jobs.run("little")).toBe("kept");
    expect(await jobs.run("process")).toBe(before);
    expect(await jobs.run("much")).toBe("kept");
    expect(await jobs.run("process")).not.toBe(before);
  });

  it("ends with its parent, however busy it is", async () => {
    const args = ["-e", PARENT, HOST.href, script.href, "32", "128", "Infinity"];
    const parent = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
    const [line] = (await once(parent.stdout, "data")) as [Buffer];
    const mark = markOf(Number(line.toString()));
    if (mark === null) throw new Error("no process was started");
    parent.kill("SIGKILL");
    await eventually(() => expect(isAlive(mark)).toBe(false));
  });

  it("rejects a running job when it is stopped", async () => {
    const jobs = start();
    await jobs.run("a");
    const ended = expect(jobs.run("hang")).rejects.toMatchObject({ why: "crash" });
    jobs.stop();
    await ended;
  });
});
