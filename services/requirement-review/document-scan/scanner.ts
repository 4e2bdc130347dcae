import { failed } from "../../domain/document/rules/check-result.ts";
import type { Clock } from "../../platform/clock.ts";
import { scanByClamd, type Scan } from "./clamd.ts";

/** Neutral towards the customer, who may not know of it. */
export const INFECTED = failed(
  "document_infected",
  "The file was found to be harmful by the virus scanner. Upload it from another device, or scan it on paper.",
);

/** Looks for viruses in files. */
export interface Scanner {
  /** Whether it is worth asking: after a failure it is left alone for a while. */
  isUp(): boolean;
  /** Never rejects. */
  scan(path: string): Promise<Scan>;
}

export interface ScannerOptions {
  /** Of clamd: `tcp://host:port` or `unix:///path`. */
  readonly url: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** Called for each failure. */
  readonly onFailure: (reason: string) => void;
}

const PAUSE_FIRST_MS = 500;
const PAUSE_MAX_MS = 30_000;

/** A scanner that, while it fails, is asked less and less often, so that it delays no other work. */
export function createScanner({ url, timeoutMs, clock, onFailure }: ScannerOptions): Scanner {
  let failures = 0;
  let downUntil = 0;
  const isUp = (): boolean => clock.now().getTime() >= downUntil;
  return {
    isUp,
    scan: async (path) => {
      if (!isUp()) return { kind: "unavailable", reason: "the scanner has failed just now" };
      const scan = await scanByClamd(url, path, timeoutMs);
      if (scan.kind !== "unavailable") {
        failures = 0;
        return scan;
      }
      const pause = Math.min(PAUSE_FIRST_MS * 2 ** Math.min(failures, 10), PAUSE_MAX_MS);
      downUntil = clock.now().getTime() + pause;
      failures += 1;
      onFailure(scan.reason);
      return scan;
    },
  };
}
