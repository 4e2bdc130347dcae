import { spawn } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";
import { requireProgram } from "../programs/debian-program.ts";

/** A text that scanners report and that harms nothing, in two parts so that no scanner reports this file. */
export const EICAR = [
  "X5O!P%@AP[4\\PZX54(P^)7CC)7}",
  "$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*",
].join("");
const SIGNATURE_NAME = "Test-Text";

/** Starts Debian's clamd with a signature of our own for that text; returns its URL. */
export function startClamd(): { readonly url: string } {
  const program = requireProgram("clamd", "clamav-daemon");
  const folder = temporaryFolder("clamd");
  const database = join(folder, "signatures");
  mkdirSync(database);
  const hex = Buffer.from("EICAR-STANDARD-ANTIVIRUS-TEST-FILE").toString("hex");
  writeFileSync(join(database, "own.ndb"), `${SIGNATURE_NAME}:0:*:${hex}\n`);
  const socket = join(folder, "clamd.socket");
  const config = join(folder, "clamd.conf");
  const lines = [
    `DatabaseDirectory ${database}`,
    `LocalSocket ${socket}`,
    "Foreground yes",
    "OfficialDatabaseOnly no",
    "StreamMaxLength 25M",
    "MaxFileSize 25M",
    "AlertExceedsMax yes",
  ];
  writeFileSync(config, `${lines.join("\n")}\n`);
  const child = spawn(program, [`--config-file=${config}`], { stdio: "ignore" });
  endAfterTests(() => child.kill("SIGKILL"));
  return { url: `unix://${socket}` };
}

type Behaviour = (socket: Socket, heard: Buffer) => void;

/** What a scanner may do when it has the whole file. */
export const ANSWERS = {
  clean: (socket) => socket.end("stream: OK\0"),
  infected: (socket) => socket.end("stream: Some.Virus FOUND\0"),
  garbage: (socket) => socket.end("\u0001\u0002 HTTP/1.1 400\0"),
  tooLarge: (socket) => socket.end("INSTREAM size limit exceeded. ERROR\0"),
  hangUp: (socket) => socket.destroy(),
  silence: () => undefined,
  flood: (socket) => socket.write("A".repeat(100_000)),
} as const satisfies Record<string, Behaviour>;

/** A scanner with the given answers. */
export interface FakeClamd {
  readonly url: string;
  answer: Behaviour;
  /** The content of the files that it was sent. */
  readonly files: Buffer[];
}

const COMMAND = "zINSTREAM\0";

/** The file of an INSTREAM command; null until it is whole. */
function fileIn(heard: Buffer): Buffer | null {
  if (heard.toString("latin1", 0, COMMAND.length) !== COMMAND) return null;
  const chunks: Buffer[] = [];
  for (let at = COMMAND.length; at + 4 <= heard.length;) {
    const length = heard.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(heard.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}

export async function startFakeClamd(answer: Behaviour): Promise<FakeClamd> {
  const path = join(temporaryFolder("fake-clamd"), "socket");
  const fake = { url: `unix://${path}`, answer, files: [] as Buffer[] };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => undefined);
    let heard = Buffer.alloc(0);
    socket.on("data", (part: Buffer) => {
      heard = Buffer.concat([heard, part]);
      const file = fileIn(heard);
      if (file === null) return;
      fake.files.push(file);
      heard = Buffer.alloc(0);
      fake.answer(socket, file);
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  endAfterTests(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    rmSync(path, { force: true });
  });
  return fake;
}
