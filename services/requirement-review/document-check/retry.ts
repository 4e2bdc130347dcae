const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 60_000;
/** A file is tried to be read at least this often, however old the request is. */
const MIN_TRIES = 3;

interface Tried {
  /** The present one included. */
  readonly tries: number;
  readonly requested_at: Date;
}

/** When to try again what failed for no fault of the file. */
export function retryAt({ tries }: Pick<Tried, "tries">, now: Date): Date {
  const pause = Math.min(RETRY_FIRST_MS * 2 ** Math.min(tries - 1, 10), RETRY_MAX_MS);
  return new Date(now.getTime() + pause);
}

/** Whether a file could not be read for so long that it is lost. */
export function isLost({ tries, requested_at }: Tried, now: Date, giveUpMs: number): boolean {
  return tries > MIN_TRIES && now.getTime() - requested_at.getTime() >= giveUpMs;
}

/** What a job answers whose file cannot be had now. */
export function unavailable(error: unknown) {
  const reason = error instanceof Error ? error.message : "no reason";
  return { kind: "unavailable", reason } as const;
}
