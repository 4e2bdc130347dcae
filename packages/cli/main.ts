import { projectRoot } from "../../infra/project-root.ts";
import { runNps } from "./run-nps.ts";

const ended = new AbortController();
// Once: a second Ctrl-C ends the process at once.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ended.abort());
// The reader of a pipe, such as `head`, may have enough before we are done.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
// Nobody reads the notes any more; the exit code still counts.
process.stderr.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

const { env, stdin, stdout, stderr } = process;
const args = process.argv.slice(2);
const { signal } = ended;
process.exitCode = await runNps({ args, env, stdin, stdout, stderr, signal, projectRoot });
