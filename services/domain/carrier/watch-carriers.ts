import { statSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "../../platform/logger.ts";
import { startPeriodic } from "../../platform/periodic.ts";
import { carrierFilesIn, readCarriers, termsFilesIn } from "./read-carriers.ts";
import type { CarrierDirectory } from "./rules/carrier-directory.ts";
import type { Providers } from "./rules/provider.ts";

/** Mounted folders do not send change notifications, so they are polled. */
const POLL_EVERY_MS = 2_000;

export interface WatchOptions {
  readonly folder: string;
  readonly log: Logger;
  readonly everyMs?: number;
}

/** The current carrier files; both members use the latest valid version. */
export interface WatchedCarriers {
  readonly directory: CarrierDirectory;
  readonly providers: Providers;
  stop(): Promise<void>;
}

function versionOf(folder: string): string {
  const files = [...carrierFilesIn(folder), ...termsFilesIn(folder)].map((file) => {
    const { mtimeMs, size, ino } = statSync(join(folder, file));
    return [file, mtimeMs, size, ino];
  });
  return JSON.stringify(files);
}

/**
 * Reads the carrier files, and reloads them whenever one changes. An invalid change is logged once, and the previous
 * version stays in use.
 * @throws `invalid_config` if they are invalid at startup
 */
export function watchCarriers({
  folder,
  log,
  everyMs = POLL_EVERY_MS,
}: WatchOptions): WatchedCarriers {
  let current = readCarriers(folder);
  let known = versionOf(folder);
  const poll = (): Promise<void> => {
    const version = versionOf(folder);
    if (version === known) return Promise.resolve();
    known = version;
    try {
      current = readCarriers(folder);
      log.info({ providers: current.providers.size }, "reloaded the carrier files");
    } catch (error) {
      log.error(
        { err: error },
        "the changed carrier files are invalid; the previous version stays in use",
      );
    }
    return Promise.resolve();
  };
  const watch = startPeriodic({ name: "carrier files", everyMs, run: poll, log });
  return {
    directory: {
      carriers: () => current.directory.carriers(),
      carrierOf: (phoneNumber) => current.directory.carrierOf(phoneNumber),
      rangeOf: (phoneNumber) => current.directory.rangeOf(phoneNumber),
      providerOf: (carrier) => current.directory.providerOf(carrier),
    },
    providers: {
      get: (name) => current.providers.get(name),
      has: (name) => current.providers.has(name),
      keys: () => current.providers.keys(),
    },
    stop: () => watch.stop(),
  };
}
