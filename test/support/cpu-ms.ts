/** The CPU time of this thread, in milliseconds: what others do on the machine does not count. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const begun = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}
