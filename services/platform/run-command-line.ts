import type { Command } from "commander";
import { AppError } from "./errors.ts";

/** The parts of the process that are used, so that a test can pass its own. */
export interface CommandLineHost {
  readonly argv: readonly string[];
  readonly stderr: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
}

/**
 * Runs a command line program. An AppError is printed as one line on standard error with exit code 1; any
 * other error is rethrown with its stack trace.
 */
export async function runCommandLine(
  program: Command,
  host: CommandLineHost = process,
): Promise<void> {
  try {
    await program.parseAsync(host.argv);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    host.stderr.write(`${error.message}\n`);
    host.exitCode = 1;
  }
}
