import { statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic } from "../../platform/periodic.ts";
import { carrierFilesIn, readCarriers } from "./read-carriers.ts";
import type { CarrierDirectory } from "./rules/carrier-directory.ts";
import type { Providers } from "./rules/provider.ts";

/** Mounted folders announce no changes, so they are looked at. */
const LOOK_EVERY_MS = 2_000;

export interface WatchOptions {
  readonly folder: string;
  readonly log: Logger;
  readonly everyMs?: number;
}

/** The carriers' files as they are now: both answer from the latest version that could be read. */
export interface WatchedCarriers {
  readonly directory: CarrierDirectory;
  readonly providers: Providers;
  stop(): Promise<void>;
}

function versionOf(folder: string): string {
  const files = carrierFilesIn(folder).map((file) => {
    const { mtimeMs, size, ino } = statSync(join(folder, file));
    return [file, mtimeMs, size, ino];
  });
  return JSON.stringify(files);
}

/**
 * Reads the carriers' files, and again whenever one changes. A change that is wrong is logged, once, and the version
 * before it stays in force.
 * @throws `invalid_config` where they are wrong at the start
 */
export function watchCarriers({
  folder,
  log,
  everyMs = LOOK_EVERY_MS,
}: WatchOptions): WatchedCarriers {
  let current = readCarriers(folder);
  let known = versionOf(folder);
  const look = (): Promise<void> => {
    const version = versionOf(folder);
    if (version === known) return Promise.resolve();
    known = version;
    try {
      current = readCarriers(folder);
      log.info({ providers: current.providers.size }, "the carriers' files were read again");
    } catch (error) {
      log.error({ err: error }, "a change of the carriers' files is wrong and was not taken");
    }
    return Promise.resolve();
  };
  const watch = startPeriodic({ name: "carrier files", everyMs, run: look, log });
  return {
    directory: {
      carrierOf: (phoneNumber) => current.directory.carrierOf(phoneNumber),
      providerOf: (carrier) => current.directory.providerOf(carrier),
    },
    providers: {
      get: (name) => current.providers.get(name),
      has: (name) => current.providers.has(name),
    },
    stop: () => watch.stop(),
  };
}
