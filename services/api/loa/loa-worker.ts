import { parentPort } from "node:worker_threads";
import { printLoa, type PrintJob } from "./letter/print-loa.ts";

/** The thread that makes letters: a job in, its answer out. What throws ends the thread, and its owner starts another. */
parentPort?.on("message", (job: PrintJob) => {
  void printLoa(job).then((answer) => parentPort?.postMessage(answer));
});
