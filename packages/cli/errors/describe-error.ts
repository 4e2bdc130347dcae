import { ApiError, ConnectionError } from "../../client/errors.ts";
import type { Fault } from "../../client/generated/api-types.ts";
import { CliError } from "./cli-error.ts";
import { EXIT_CODES, type ExitCode } from "./exit-codes.ts";

export interface DescribedError {
  readonly text: string;
  readonly exitCode: ExitCode;
}

/** An error as sentences, with the request id to quote, and the exit code that it leads to. */
export function describeError(error: unknown): DescribedError {
  if (error instanceof CliError) return { text: error.message, exitCode: error.exitCode };
  if (error instanceof ApiError) return { text: refusalText(error), exitCode: exitCodeOf(error) };
  if (error instanceof ConnectionError) {
    const text = `${error.message} Is it running? For a local one: npm start.`;
    return { text, exitCode: EXIT_CODES.unreachable };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text, exitCode: EXIT_CODES.failed };
}

function refusalText({ detail, code, requestId, faults, status }: ApiError): string {
  const quote = requestId === null ? code : `${code}, request ${requestId}`;
  const hint = status === 401 ? ["Sign in with another key: nps login."] : [];
  return [`${detail} (${quote})`, ...faults.map(faultText), ...hint].join("\n");
}

function faultText({ pointer, parameter, header, code, detail }: Fault): string {
  const place = pointer ?? parameter ?? header;
  return place === undefined ? `  ${detail} (${code})` : `  ${place}: ${detail} (${code})`;
}

function exitCodeOf({ status }: ApiError): ExitCode {
  if (status === 401 || status === 403) return EXIT_CODES.access;
  if (status === 404) return EXIT_CODES.notFound;
  return status === 429 || status >= 500 ? EXIT_CODES.unreachable : EXIT_CODES.refused;
}
