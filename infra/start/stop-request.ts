// A Ctrl-C arrives twice: from the terminal itself and through npm.
const SAME_REQUEST_MS = 1_000;

const PARENT_POLL_MS = 500;

export interface StopRequest {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  readonly stop: AbortSignal;
  /** Aborted by a further signal a second or more later. */
  readonly force: AbortSignal;
}

/** Listens for the signals that request this process to stop. */
export function listenForStop(): StopRequest {
  const stop = new AbortController();
  const force = new AbortController();
  let firstAt: number | null = null;
  const onSignal = (): void => {
    firstAt ??= performance.now();
    stop.abort();
    if (performance.now() - firstAt >= SAME_REQUEST_MS) force.abort();
  };
  watchNpm(() => stop.abort());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  return { stop: stop.signal, force: force.signal };
}

/** npm exits on SIGTERM without passing it on, so its script requests the stop itself when npm is gone. */
function watchNpm(onGone: () => void): void {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const poll = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(poll);
    onGone();
  }, PARENT_POLL_MS);
  poll.unref();
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
