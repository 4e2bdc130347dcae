import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { AppError } from "../../services/platform/errors.ts";

const run = promisify(execFile);

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly signal?: AbortSignal;
}

interface Failure {
  readonly code?: number | string;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** Runs a program to its end and returns its output. @throws `stack_failed` with the last lines of its output */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<{ stdout: string; stderr: string }> {
  try {
    return await run(command, args, { ...options, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    options.signal?.throwIfAborted();
    const { code, stdout = "", stderr = "" } = error as Failure;
    const output = `${stdout}\n${stderr}`.trim().split("\n").slice(-8).join("\n");
    const message = `${command} failed (${String(code ?? "unknown")}).\n${output}`.trim();
    throw new AppError("stack_failed", message, { cause: error });
  }
}
