import { Worker } from "node:worker_threads";
import { errorCodeOf } from "../errors.ts";

/** What the process of a `JobProcess` sends. */
export type HostMessage =
  | { readonly kind: "ready" }
  /** After the last one the process has grown too much to be kept. */
  | { readonly kind: "answer"; readonly answer: unknown; readonly isLast: boolean }
  | { readonly kind: "ended"; readonly why: "memory" | "crash" };

const MEMORY_POLL_MS = 20;
const MB = 1024 * 1024;

/**
 * The process of a `JobProcess`: it runs the script in a thread, so that it can watch its own memory meanwhile, and ends
 * at once with its parent, however busy the script is.
 */
const [script = "", heapMb, memoryMb, recycleAboveMb] = process.argv.slice(2);
const limits = { maxOldGenerationSizeMb: Number(heapMb) };
const thread = new Worker(new URL(script), { resourceLimits: limits });
/** At the start; null before it is ready. */
let firstBytes: number | null = null;
let watch: NodeJS.Timeout | undefined;

function send(message: HostMessage, then: () => void = () => undefined): void {
  process.send?.(message, then);
}

function end(why: "memory" | "crash"): void {
  clearInterval(watch);
  send({ kind: "ended", why }, () => process.exit(1));
}

process.on("disconnect", () => process.exit());
// The parent decides when it stops: a terminal sends these to both.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => undefined);

process.on("message", ({ job }: { readonly job: unknown }) => {
  const before = process.memoryUsage.rss();
  watch = setInterval(() => {
    if (process.memoryUsage.rss() - before > Number(memoryMb) * MB) end("memory");
  }, MEMORY_POLL_MS);
  thread.postMessage(job);
});
thread.on("message", (answer: unknown) => {
  clearInterval(watch);
  const bytes = process.memoryUsage.rss();
  if (firstBytes === null) {
    firstBytes = bytes;
    send({ kind: "ready" });
  } else send({ kind: "answer", answer, isLast: bytes - firstBytes > Number(recycleAboveMb) * MB });
});
thread.on("error", (error) =>
  end(errorCodeOf(error) === "ERR_WORKER_OUT_OF_MEMORY" ? "memory" : "crash"),
);
thread.on("exit", () => end("crash"));
