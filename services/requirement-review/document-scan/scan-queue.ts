import type { Bus } from "../../messages/bus/bus.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import type { Settle, TaskSource } from "../document-check/document-queue.ts";
import { publishResult } from "../document-check/publish-result.ts";
import { unavailable } from "../document-check/retry.ts";
import { INFECTED, type Scanner } from "./scanner.ts";
import { finishScan, takeScan, type TakenScan } from "./store/document-scans.ts";

export interface ScanOptions {
  readonly files: Pick<FileStore, "lend">;
  readonly scanner: Scanner;
}

/** The documents that could not be scanned when they were checked. */
export function scanQueue(bus: Bus, { files, scanner }: ScanOptions): TaskSource {
  return {
    work: "scan",
    take: async (options) => {
      const taken = scanner.isUp() ? await takeScan(bus.pool, options) : null;
      // Other work queues scans, which it does not announce: there may be more at any time.
      if (taken === null) return { taken: null, more: true };
      const run = async (): Promise<Settle> => {
        const scan = await files
          .lend(taken.document_id, (path) => scanner.scan(path))
          .catch(unavailable);
        const made = { scan, now: bus.clock.now() };
        if (scan.kind === "infected") return () => refuse(bus, taken, made);
        return () => finishScan(bus.pool, taken, made).then(() => undefined);
      };
      return { taken: { accountId: taken.account_id, run }, more: true };
    },
  };
}

/** A document that had passed until now fails its check. */
function refuse(bus: Bus, taken: TakenScan, made: Parameters<typeof finishScan>[2]): Promise<void> {
  const { order_id, document_id } = taken;
  bus.log.warn({ order_id, document_id }, "a document is infected");
  return publishResult(bus, { address: taken, result: INFECTED }, (tx) =>
    finishScan(tx, taken, made),
  );
}
