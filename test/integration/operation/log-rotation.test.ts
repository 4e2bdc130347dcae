import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "@jest/globals";
import { keepLogSmall, logSize, openLog } from "../../../infra/start/supervisor/log-file.ts";
import { until } from "../../../infra/start/supervisor/until.ts";
import { endAfterTests } from "../../support/lifetime/end-after-tests.ts";
import { temporaryFolder } from "../../support/lifetime/temporary-folder.ts";

/** Writes as many numbered lines to its standard output as each byte that it reads says. */
const WRITER = `
let line = 0;
process.stdin.on("data", (bytes) => {
  for (const count of bytes) {
    for (const last = line + count; line < last; ) require("node:fs").writeSync(1, "line " + ++line + "\\n");
  }
});`;

let path: string;

beforeEach(() => {
  path = join(temporaryFolder("log"), "logs", "writer.log");
});

function startWriter() {
  const log = openLog(path);
  const writer = spawn(process.execPath, ["-e", WRITER], { stdio: ["pipe", log, "ignore"] });
  closeSync(log);
  endAfterTests(() => writer.kill("SIGKILL"));
  return { write: (lines: number) => writer.stdin?.write(Buffer.of(lines)) };
}

function keepSmall(): unknown[] {
  const faults: unknown[] = [];
  const over = new AbortController();
  const onFault = (error: unknown): void => void faults.push(error);
  const keeping = keepLogSmall({ path, rotateAtBytes: 500, everyMs: 20, onFault }, over.signal);
  endAfterTests(() => {
    over.abort();
    return keeping;
  });
  return faults;
}

const lines = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, n) => `line ${first + n}\n`).join("");

const whenSize = (bytes: number): Promise<void> =>
  until(() => logSize(path) === bytes, { timeoutMs: 10_000, what: `a log of ${bytes} bytes` });

it("a log that has grown is rotated while its process runs and goes on writing", async () => {
  const { write } = startWriter();
  write(100);
  await whenSize(lines(1, 100).length);
  const faults = keepSmall();
  await whenSize(0);
  write(5);
  await whenSize(lines(101, 105).length);
  expect(readFileSync(`${path}.1`, "utf8")).toBe(lines(1, 100));
  expect(readFileSync(path, "utf8")).toBe(lines(101, 105));
  expect(faults).toEqual([]);
});

it("a rotation that fails is reported once, loses nothing, and is tried again", async () => {
  const { write } = startWriter();
  write(100);
  await whenSize(lines(1, 100).length);
  mkdirSync(`${path}.1`);
  const faults = keepSmall();
  await until(() => faults.length > 0, { timeoutMs: 10_000, what: "the fault" });
  expect(readFileSync(path, "utf8")).toBe(lines(1, 100));
  rmdirSync(`${path}.1`);
  await whenSize(0);
  expect(existsSync(`${path}.1`)).toBe(true);
  expect(faults).toHaveLength(1);
});
