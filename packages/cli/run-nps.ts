import { CommanderError } from "commander";
import { isNotFound } from "../client/errors.ts";
import { notTheApi } from "./errors/cli-error.ts";
import { EXIT_CODES } from "./errors/exit-codes.ts";
import { describeError } from "./errors/describe-error.ts";
import type { Host } from "./host.ts";
import { createProgram } from "./program.ts";
import { Session } from "./session.ts";

/** Runs a command line to its end and returns the exit code; errors are sentences on standard error. */
export async function runNps(host: Host): Promise<number> {
  const session = new Session(host);
  try {
    await createProgram(session).parseAsync([...host.args], { from: "user" });
    return session.exitCode;
  } catch (error) {
    session.progress.clear();
    // Commander has written its own message.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage;
    if (host.signal.aborted) return EXIT_CODES.interrupted;
    const known = isNotFound(error) && !(await session.isApiThere()) ? notTheApi() : error;
    const { text, exitCode } = describeError(known, session.keyHint);
    host.stderr.write(`${text}\n`);
    return exitCode;
  }
}
