/** @tier all @needs clamd */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { scanByClamd } from "../../../services/requirement-review/document-scan/scan-queue.ts";
import { ANSWERS, EICAR, startClamd, startFakeClamd } from "../../support/documents/clamd.ts";
import { eventually } from "../../support/eventually.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";

const TIMEOUT_MS = 10_000;

let folder: string;

beforeAll(() => {
  folder = temporaryFolder("scanned");
});

function fileOf(content: string | Buffer): string {
  const path = join(folder, "file");
  writeFileSync(path, content);
  return path;
}

describe("a scan by Debian's clamd", () => {
  it("finds what its signatures name, and passes the rest", async () => {
    const { url } = startClamd();
    const found = { kind: "infected", signature: expect.stringContaining("Test-Text") };
    await eventually(async () => {
      expect(await scanByClamd(url, fileOf(`%PDF-1.7\n${EICAR}`), TIMEOUT_MS)).toEqual(found);
    });
    const large = Buffer.alloc(20 * 1024 * 1024, "%PDF-1.7 ");
    for (const content of ["%PDF-1.7", large]) {
      expect(await scanByClamd(url, fileOf(content), TIMEOUT_MS)).toEqual({ kind: "clean" });
    }
  });
});

describe("a scan by a scanner that fails", () => {
  it.each(["garbage", "tooLarge", "hangUp", "flood"] as const)(
    "is unavailable where it answers with %s",
    async (name) => {
      const { url } = await startFakeClamd(ANSWERS[name]);
      const scan = await scanByClamd(url, fileOf("%PDF-1.7"), TIMEOUT_MS);
      expect(scan.kind).toBe("unavailable");
      if (scan.kind === "unavailable") expect(scan.reason.length).toBeLessThan(8_000);
    },
  );

  it("is unavailable where it does not answer in time, or is not there", async () => {
    const { url, files } = await startFakeClamd(ANSWERS.silence);
    const path = fileOf("%PDF-1.7");
    expect(await scanByClamd(url, path, 2_000)).toMatchObject({
      reason: expect.stringContaining("in time"),
    });
    expect(files).toEqual([Buffer.from("%PDF-1.7")]);
    for (const absent of ["tcp://127.0.0.1:1", `unix://${folder}/none`]) {
      expect((await scanByClamd(absent, path, TIMEOUT_MS)).kind).toBe("unavailable");
    }
    expect((await scanByClamd(url, join(folder, "none"), TIMEOUT_MS)).kind).toBe("unavailable");
  });
});
