import { ensurePages } from "../pages/ensure-pages.ts";
import { LocalProduct } from "./local-product.ts";
import { aborted, listenForStop } from "./stop-request.ts";
import { summary } from "./credentials.ts";

const requested = listenForStop();
const log = (line: string): void => console.log(line);

function printError(error: unknown): void {
  console.error(error instanceof Error ? `\n${error.message}` : error);
}

/** Starts the product and runs it until a stop is requested; returns the exit code. */
async function run(): Promise<number> {
  const startedAt = performance.now();
  await ensurePages(log);
  const product = new LocalProduct({ env: process.env, log, signal: requested.stop });
  void aborted(requested.force)
    .then(() => product.kill())
    .finally(() => process.exit(1));
  let code = 0;
  try {
    const up = product.start().then(({ credentials, isFirst }) => {
      const tookMs = performance.now() - startedAt;
      log(summary(credentials, { dataDir: product.config.dataDir, tookMs, isFirst }));
    });
    // A stop may be requested during the start: what has been started by then is stopped below.
    await Promise.race([up, aborted(requested.stop)]);
    await aborted(requested.stop);
  } catch (error) {
    if (!requested.stop.aborted) {
      printError(error);
      code = 1;
    }
  }
  if (code === 0) log("stopping …");
  await product.stop();
  return code;
}

process.exitCode = await run().catch((error: unknown) => {
  printError(error);
  return 1;
});
process.exit();
