import { afterEach, describe, expect, it } from "@jest/globals";
import { JobThread } from "./job-thread.ts";

const ECHO = `
  import { parentPort, threadId } from "node:worker_threads";
  parentPort.on("message", (job) => {
    if (job === "throw") setTimeout(() => { throw new Error("broken"); }, 1);
    else if (job === "hang") for (;;) ;
    else if (job === "exit") process.exit(0);
    else parentPort.postMessage(job === "thread" ? threadId : job);
  });`;

const threads: JobThread<string, unknown>[] = [];

function start(limits: { readonly maxWaiting?: number; readonly jobMs?: number } = {}) {
  const script = new URL(`data:text/javascript,${encodeURIComponent(ECHO)}`);
  const read = (message: unknown) => message;
  const options = { script, maxWaiting: 8, jobMs: 20_000, memoryMb: 64, read, ...limits };
  const thread = new JobThread<string, unknown>(options);
  threads.push(thread);
  return thread;
}

afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.stop()));
});

describe("a job thread", () => {
  it("runs jobs one by one in one thread", async () => {
    const thread = start();
    const jobs = ["a", "b", "thread", "thread"];
    const [a, b, first, second] = await Promise.all(jobs.map((job) => thread.run(job)));
    expect([a, b]).toEqual(["a", "b"]);
    expect(first).toBe(second);
  });

  it.each(["throw", "exit"])("survives a job that makes the thread %s", async (job) => {
    const thread = start();
    const before = await thread.run("thread");
    const [failed, after] = await Promise.allSettled([thread.run(job), thread.run("thread")]);
    expect(failed).toMatchObject({ status: "rejected", reason: { code: "internal" } });
    expect(after).toMatchObject({ status: "fulfilled" });
    expect(await thread.run("thread")).not.toBe(before);
  });

  it("terminates a hanging thread, and continues with another", async () => {
    const thread = start({ jobMs: 1_000 });
    await expect(thread.run("hang")).rejects.toMatchObject({ code: "unavailable" });
    expect(await thread.run("a")).toBe("a");
  });

  it("refuses jobs beyond its queue limit", async () => {
    const thread = start({ maxWaiting: 1 });
    const [running, waiting, refused] = await Promise.allSettled(
      ["a", "b", "c"].map((job) => thread.run(job)),
    );
    expect([running?.status, waiting?.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(refused).toMatchObject({ reason: { code: "unavailable", retryable: true } });
  });

  it("rejects running and waiting jobs when it is stopped", async () => {
    const thread = start();
    const jobs = Promise.allSettled(["hang", "a"].map((job) => thread.run(job)));
    await thread.stop();
    const unavailable = { status: "rejected", reason: { code: "unavailable" } };
    expect(await jobs).toMatchObject([unavailable, unavailable]);
  });
});
