const isCounted = "threadCpuUsage" in process;

/** The CPU time of this thread, in milliseconds; before Node 23.9 of the whole process. What others do does not count. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const usage = (before?: NodeJS.CpuUsage): NodeJS.CpuUsage =>
    isCounted ? process.threadCpuUsage(before) : process.cpuUsage(before);
  const begun = usage();
  await work();
  const { user, system } = usage(begun);
  return (user + system) / 1_000;
}
