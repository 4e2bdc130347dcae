import { renameSync, writeFileSync } from "node:fs";
import { startEphemeralStack } from "./ephemeral-stack.ts";

/**
 * The stack of a directly run Jest: `stack-process.ts <file>` writes the path of its STACK_FILE to `<file>` when it is
 * up, and stops on SIGTERM or when its standard input ends.
 */
const [target] = process.argv.slice(2);
if (target === undefined) throw new TypeError("the path of the file to write is missing");

const asked = new Promise<void>((resolve) => {
  process.once("SIGTERM", () => resolve());
  for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resolve());
  process.stdin.resume();
});

const stack = await startEphemeralStack((line) => console.error(line));
writeFileSync(`${target}.draft`, stack.file);
renameSync(`${target}.draft`, target);
await asked;
await stack.stop();
process.exit();
