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

/** An error of another kind, with what to do about it as its message. */
export class HintedError extends Error {
  constructor(cause: unknown, hint: string) {
    super(hint, { cause });
    this.name = "HintedError";
  }
}

/** The address is that of another server, or of a page of the service: whatever answers there, it is not the API. */
export function notTheApi(): CliError {
  const text =
    "This is not the API's address: see NPS_API_URL, or nps login --url. It has no path: http://127.0.0.1:3000.";
  return new CliError(text, EXIT_CODES.unreachable);
}

/** What was typed cannot be done. */
export function usageError(message: string): CliError {
  return new CliError(message, EXIT_CODES.usage);
}
