import { ApiError, ConnectionError } from "../client/errors.ts";
import type { Fault } from "../client/generated/api-types.ts";
import { visible } from "./output.ts";

/** What a command's exit code says (docs/cli.md). */
export const EXIT_CODES = {
  done: 0,
  /** A fault of this program. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** There is no key, or the API does not accept it. */
  access: 3,
  /** There is no such thing. */
  notFound: 4,
  /** The API refused the request. */
  refused: 5,
  /** No answer, too many requests, or a fault of the service. */
  unreachable: 6,
  /** The command ran, and the result is a no: a signature that does not hold, an order that ended otherwise. */
  negative: 7,
  /** Ended by Ctrl-C before it was done. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

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

const NOT_THE_API =
  "This is not an answer of the API. Is its address right? See NPS_API_URL, or nps login --url.";

interface DescribedError {
  readonly text: string;
  readonly exitCode: ExitCode;
}

/**
 * An error as sentences, with the request id to quote, and the exit code that it leads to.
 * `keyHint` is what to do where the API refuses the key.
 */
export function describeError(error: unknown, keyHint: string): DescribedError {
  if (error instanceof CliError) return { text: error.message, exitCode: error.exitCode };
  if (error instanceof HintedError) {
    const { text, exitCode } = describeError(error.cause, keyHint);
    return { text: `${text}\n${visible(error.message)}`, exitCode };
  }
  if (error instanceof ApiError) {
    return { text: refusalText(error, keyHint), exitCode: exitCodeOf(error) };
  }
  if (error instanceof ConnectionError) {
    const text = `${error.message} Is it running? For a local one: npm start.`;
    return { text, exitCode: EXIT_CODES.unreachable };
  }
  return { text: faultOf(error), exitCode: EXIT_CODES.failed };
}

/** The system's own errors, such as that of a file, say what is wrong; any other is a fault of this program. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "syscall" in error ? error.message : (error.stack ?? error.message);
}

function refusalText(error: ApiError, keyHint: string): string {
  const { detail, code, requestId, faults, status } = error;
  const quote = requestId === null ? code : `${code}, request ${requestId}`;
  const lines = [`${detail} (${quote})`, ...faults.map(faultText)];
  if (!isOfApi(error)) lines.push(NOT_THE_API);
  else if (status === 401) lines.push(keyHint);
  return visible(lines.join("\n"));
}

/** Whether the API answered, not a proxy or another server. */
function isOfApi({ code }: ApiError): boolean {
  return !code.startsWith("http_");
}

function faultText({ pointer, parameter, header, code, detail }: Fault): string {
  const place = pointer ?? parameter ?? header;
  return place === undefined ? `  ${detail} (${code})` : `  ${place}: ${detail} (${code})`;
}

function exitCodeOf(error: ApiError): ExitCode {
  const { status } = error;
  if (!isOfApi(error)) return EXIT_CODES.unreachable;
  if (status === 401 || status === 403) return EXIT_CODES.access;
  if (status === 404) return EXIT_CODES.notFound;
  return status === 429 || status >= 500 ? EXIT_CODES.unreachable : EXIT_CODES.refused;
}
