import { tmpdir } from "node:os";
import { describe, expect, it } from "@jest/globals";
import { createMetrics } from "../../platform/metrics.ts";
import { watchDisk } from "./disk-metrics.ts";

async function valuesOf(folder: string): Promise<number[]> {
  const metrics = createMetrics("test");
  watchDisk(metrics, "documents", folder);
  const { text } = await metrics.page();
  return ["free", "size"].flatMap((what) => {
    const [, value] =
      new RegExp(`^disk_${what}_bytes\\{disk="documents".*\\} (\\S+)$`, "m").exec(text) ?? [];
    return value === undefined ? [] : [Number(value)];
  });
}

describe("the space of a disk", () => {
  it("is in bytes, what is free and the whole", async () => {
    const [free = 0, size = 0] = await valuesOf(tmpdir());
    expect(free).toBeGreaterThan(0);
    expect(size).toBeGreaterThan(free);
  });

  it("is left out where the folder cannot be looked at", async () => {
    expect(await valuesOf("/nowhere/at/all")).toEqual([]);
  });
});
