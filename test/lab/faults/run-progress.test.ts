import { describe, expect, it } from "@jest/globals";
import { RunProgress } from "./run-progress.ts";

/** Runs until the progress is over and then records its name. */
function driver(progress: RunProgress, ended: string[], name: string): Promise<void> {
  return progress.add(
    (async () => {
      while (!progress.failed && !progress.quiet)
        await new Promise((resolve) => setImmediate(resolve));
      ended.push(name);
    })(),
  );
}

describe("the progress of a fault run", () => {
  it("ends every driver where one fails, and reports that failure", async () => {
    const progress = new RunProgress();
    const ended: string[] = [];
    const others = [driver(progress, ended, "desk"), driver(progress, ended, "repairs")];
    const failing = progress.add(Promise.reject(new Error("the number is missing")));
    await expect(failing).rejects.toThrow("the number is missing");
    await Promise.all(others);
    expect(() => progress.check()).toThrow("the number is missing");
    await expect(progress.abandon(new Error("later"))).rejects.toThrow("the number is missing");
    expect(ended).toEqual(["desk", "repairs"]);
  });

  it("ends every driver where the run itself fails", async () => {
    const progress = new RunProgress();
    const ended: string[] = [];
    void driver(progress, ended, "desk");
    progress.check();
    await expect(progress.abandon(new Error("not quiet"))).rejects.toThrow("not quiet");
    expect(ended).toEqual(["desk"]);
  });
});
