import type { Command } from "commander";
import { AppError } from "./errors.ts";

/** What of the process is used, so that a test can pass its own. */
export interface CommandLineHost {
  readonly argv: readonly string[];
  readonly stderr: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
}

/**
 * Runs the program that the arguments name. A mistake that has a name (AppError) is one line on the standard error
 * output and exit code 1; any other error passes through, with its trace.
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
