import { spawn, type StdioOptions } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ensurePages } from "../../../infra/pages/ensure-pages.ts";

/** Starts a stack when Jest runs directly; `npm test` starts its own and sets STACK_FILE. */
export default async function globalSetup(): Promise<void> {
  if (process.env["STACK_FILE"] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "porting-jest-"));
  const ready = join(folder, "ready");
  const args = [join("test", "support", "stack", "stack-process.ts"), ready];
  // Its standard input closes when this process ends, even by SIGKILL.
  const stdio: StdioOptions = ["pipe", "inherit", "inherit"];
  const child = spawn(process.execPath, args, { stdio, detached: true });
  await ensurePages((line) => console.error(line));
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error("the embedded stack did not start");
    await pause(100);
  }
  // A finished test run must not wait for it; the teardown ends it.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  process.env["STACK_FILE"] = readFileSync(ready, "utf8");
  rmSync(folder, { recursive: true });
  process.env["STACK_PID"] = String(child.pid);
}
