import { parentPort } from "node:worker_threads";
import { printLoa, type PrintJob } from "./letter/render-loa.ts";

/** The worker thread that renders letters, one answer per job. An error ends its process, and its owner starts another. */
parentPort?.on("message", (job: PrintJob) => {
  void printLoa(job).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage("ready");
