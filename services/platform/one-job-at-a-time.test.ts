import { describe, expect, it } from "@jest/globals";
import { JobFailed, JobProcess } from "./jobs/job-process.ts";

describe("a job process", () => {
  it("refuses a job beside another, and takes the next once that has ended", async () => {
    const nowhere = new URL("file:///no-such-program.js");
    const limits = { script: nowhere, host: nowhere, jobMs: 1_000, heapMb: 16, memoryMb: 16 };
    const jobs = new JobProcess<string, string>(limits);
    const first = jobs.run("first");
    await expect(jobs.run("second")).rejects.toThrow("one job at a time");
    await expect(first).rejects.toBeInstanceOf(JobFailed);
    await expect(jobs.run("third")).rejects.toBeInstanceOf(JobFailed);
  });
});
