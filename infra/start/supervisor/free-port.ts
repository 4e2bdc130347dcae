import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { AppError } from "../../../services/platform/errors.ts";

// Below the ports of outgoing connections (Linux from 32768, macOS from 49152): otherwise a client that reconnects
// while its server restarts could get that server's port as its own.
const LOWEST = 15_000;
const HIGHEST = 32_000;

/** True when the port can be bound. */
export function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A port that is free now; another process may take it before the caller binds it. */
export async function freePort(host?: string): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isPortFree(port, host)) return port;
  }
  throw new AppError("stack_failed", `No free port found between ${LOWEST} and ${HIGHEST}.`);
}

/** @throws `stack_failed` with the port and the variable that sets it */
export async function requireFreePort(
  port: number,
  variable: string,
  host?: string,
): Promise<void> {
  if (await isPortFree(port, host)) return;
  throw new AppError(
    "stack_failed",
    `Port ${port} is in use: set ${variable} to a free one, or stop the process that listens there.`,
  );
}
