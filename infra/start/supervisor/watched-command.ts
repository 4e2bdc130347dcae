/**
 * Keeps a program from outliving its parent. The shell becomes the program (same pid); a watcher beside it
 * reads the pipe on standard input and stops the program when the pipe closes because the parent is gone.
 * A line on the pipe means that the program has ended by itself, so that the watcher never signals a reused pid.
 */
const SCRIPT = `
stop=$1; force=$2; shift 2
exec 3<&0
program=$$
(
  if read -r _ <&3; then exit 0; fi
  kill -s "$stop" "$program" 2>/dev/null || exit 0
  tries=0
  while [ $tries -lt 15 ] && kill -0 "$program" 2>/dev/null; do sleep 1; tries=$((tries + 1)); done
  kill -s "$force" "$program" 2>/dev/null
) >/dev/null 2>&1 &
exec "$@" </dev/null 3<&-
`;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** The signals by which the watcher stops the program: `force` 15 s after `stop`. */
export interface WatchSignals {
  readonly stop: "SIGTERM" | "SIGINT";
  readonly force: "SIGKILL" | "SIGQUIT";
}

/** Wraps a command in the watcher; spawn it in its own process group with a pipe on standard input. */
export function watchedCommand({ command, args }: Command, { stop, force }: WatchSignals): Command {
  const names = [stop, force].map((signal) => signal.slice("SIG".length));
  return { command: "/bin/sh", args: ["-c", SCRIPT, "sh", ...names, command, ...args] };
}
