import { createReadStream } from "node:fs";
import { connect, type NetConnectOpts, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { failed } from "../../domain/document/rules/check-result.ts";
import type { Bus } from "../../messages/bus/bus.ts";
import type { Clock } from "../../platform/clock.ts";
import type { FileStore } from "../../platform/files/file-store.ts";
import {
  publishResult,
  unavailable,
  type Settle,
  type TaskSource,
} from "../document-check/document-queue.ts";
import { finishScan, takeScan, type TakenScan } from "./store.ts";

/** What clamd answers to a file (clamd(8), INSTREAM). */
export type Scan =
  | { readonly kind: "clean" }
  | { readonly kind: "infected"; readonly signature: string }
  | { readonly kind: "unavailable"; readonly reason: string };

const END_OF_FILE = Buffer.alloc(4);
/** An answer names a signature. */
const MOST_ANSWERED = 1_024;

/** `tcp://host:port` or `unix:///path`. */
function addressOf(url: string): NetConnectOpts {
  const { protocol, hostname, port, pathname } = new URL(url);
  if (protocol === "unix:") return { path: decodeURIComponent(pathname) };
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}

/** Sends a file to clamd and reads its verdict; never rejects, and ends within the time. */
export function scanByClamd(url: string, path: string, timeoutMs: number): Promise<Scan> {
  return new Promise((resolve) => {
    const socket = connect(addressOf(url));
    const settle = (scan: Scan): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(scan);
    };
    const fail = (reason: string): void => settle({ kind: "unavailable", reason });
    const late = setTimeout(() => fail("the scanner did not answer in time"), timeoutMs);
    readAnswer(socket, (answer) => settle(verdictOf(answer)));
    socket.once("error", (error) => fail(error.message));
    socket.once("close", () => fail("the scanner closed the connection"));
    socket.once("connect", () => {
      // The scanner may answer and close before it has read everything, which ends the pipeline.
      send(socket, path).catch((error: unknown) => {
        if (!socket.destroyed) fail(error instanceof Error ? error.message : "the file is gone");
      });
    });
  });
}

function readAnswer(socket: Socket, then: (answer: string) => void): void {
  let answer = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    answer += part;
    const end = answer.indexOf("\0");
    if (end >= 0 || answer.length > MOST_ANSWERED) {
      then(answer.slice(0, end >= 0 ? end : MOST_ANSWERED));
    }
  });
}

async function send(socket: Socket, path: string): Promise<void> {
  socket.write("zINSTREAM\0");
  await pipeline(createReadStream(path), framed, socket, { end: false });
  socket.write(END_OF_FILE);
}

/** Each chunk behind its length. */
async function* framed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  for await (const chunk of chunks) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    yield Buffer.concat([length, chunk]);
  }
}

function verdictOf(answer: string): Scan {
  if (answer === "stream: OK") return { kind: "clean" };
  const signature = /^stream: ([\x20-\x7e]+) FOUND$/.exec(answer)?.[1];
  if (signature !== undefined) return { kind: "infected", signature };
  return { kind: "unavailable", reason: `the scanner answered ${JSON.stringify(answer)}` };
}

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

interface ScannerOptions {
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

interface ScanOptions {
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
