import { statfs } from "node:fs/promises";
import type { Metrics } from "../../platform/metrics.ts";

/** Shows how much space is left on the disk of a folder; `name` distinguishes it from the process's other disks. */
export function watchDisk(metrics: Metrics, name: string, folder: string): void {
  const free = metrics.gauge({
    name: "disk_free_bytes",
    help: "Space that the service may still use on the disk of a folder",
    labels: ["disk"],
  });
  const size = metrics.gauge({
    name: "disk_size_bytes",
    help: "Size of the disk of a folder",
    labels: ["disk"],
  });
  metrics.beforePage(async () => {
    const stats = await statfs(folder).catch(() => null);
    if (stats === null) {
      // A folder that cannot be looked at has no values; the other metrics are shown all the same.
      free.remove({ disk: name });
      size.remove({ disk: name });
      return;
    }
    const { bsize, bavail, blocks } = stats;
    free.set({ disk: name }, bavail * bsize);
    size.set({ disk: name }, blocks * bsize);
  });
}
