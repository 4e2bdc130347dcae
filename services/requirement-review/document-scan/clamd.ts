import { createReadStream } from "node:fs";
import { connect, type NetConnectOpts, type Socket } from "node:net";
import { pipeline } from "node:stream/promises";

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
