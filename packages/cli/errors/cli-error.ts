import { EXIT_CODES, type ExitCode } from "./exit-codes.ts";

/** An error of a command; its message is a sentence for the person at the terminal. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.name = "CliError";
    this.exitCode = exitCode;
  }
}

/** What was typed cannot be done. */
export function usageError(message: string): CliError {
  return new CliError(message, EXIT_CODES.usage);
}
