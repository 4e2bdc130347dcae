import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { AppError } from "../../../services/platform/errors.ts";

// Below the ports of outgoing connections (Linux from 32768, macOS from 49152): otherwise a client that reconnects
// while its server restarts could get that server's port as its own.
const LOWEST = 15_000;
const HIGHEST = 32_000;

/** True when the port can be bound. */
function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
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

/**
 * A port that was free when it was chosen, but that another process may take before its listener binds it: until it is
 * settled, each start may choose another one. A fixed port never changes.
 */
export class ListenerPort {
  #number: number;
  #isSettled: boolean;

  private constructor(number: number, isSettled: boolean) {
    this.#number = number;
    this.#isSettled = isSettled;
  }

  /** A port that the user set. */
  static fixed(number: number): ListenerPort {
    return new ListenerPort(number, true);
  }

  /** `preferred` if it is free, else any free port. */
  static async free(preferred?: number): Promise<ListenerPort> {
    const isUsable = preferred !== undefined && (await isPortFree(preferred));
    return new ListenerPort(isUsable ? preferred : await freePort(), false);
  }

  get number(): number {
    return this.#number;
  }

  /** The port is in use by clients: it no longer changes. */
  settle(): void {
    this.#isSettled = true;
  }

  /** Call before each (re)start of the listener. */
  async moveIfTaken(): Promise<number> {
    if (!this.#isSettled && !(await isPortFree(this.#number))) this.#number = await freePort();
    return this.#number;
  }
}
