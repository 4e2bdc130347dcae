import { House } from "./local-product.ts";
import { aborted, listenForStop } from "./stop-request.ts";
import { summary } from "./summary.ts";

const requested = listenForStop();
const log = (line: string): void => console.log(line);

function sayWhy(error: unknown): void {
  console.error(error instanceof Error ? `\n${error.message}` : error);
}

/** Brings everything up, waits for the signal to stop; the exit code. */
async function run(): Promise<number> {
  const startedAt = performance.now();
  const house = new House({ env: process.env, log, signal: requested.stop });
  void aborted(requested.force)
    .then(() => house.kill())
    .finally(() => process.exit(1));
  let code = 0;
  try {
    const up = house.start().then((credentials) => {
      const place = { dataDir: house.config.dataDir, tookMs: performance.now() - startedAt };
      log(summary(credentials, place));
    });
    // A stop may come during the start: what is begun then ends below.
    await Promise.race([up, aborted(requested.stop)]);
    await aborted(requested.stop);
  } catch (error) {
    if (!requested.stop.aborted) {
      sayWhy(error);
      code = 1;
    }
  }
  if (code === 0) log("stopping …");
  await house.stop();
  return code;
}

process.exitCode = await run().catch((error: unknown) => {
  sayWhy(error);
  return 1;
});
process.exit();
