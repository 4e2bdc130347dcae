import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "./errors.ts";
import type { HealthChecks } from "./health.ts";

/** For longer than whoever routes requests here takes to notice that it is not ready. */
const LEAVE_MS = 3_000;

/**
 * The beginning of a front door's end: it is not ready any more and keeps no connection, but serves what still comes, so
 * that no request is refused or cut while others take its place.
 */
export class Departure {
  #hasBegun = false;

  /** Fails from the beginning of the departure. */
  readonly checks: HealthChecks = {
    stopping: () =>
      this.#hasBegun
        ? Promise.reject(new AppError("unavailable", "The process is stopping."))
        : Promise.resolve(),
  };

  /** Resolves when the server can be stopped. */
  async leave(server: { leave(): void }): Promise<void> {
    this.#hasBegun = true;
    server.leave();
    await pause(LEAVE_MS);
  }
}
