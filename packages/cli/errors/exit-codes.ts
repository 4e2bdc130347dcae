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
