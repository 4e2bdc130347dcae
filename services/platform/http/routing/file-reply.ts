import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { AppError } from "../../errors.ts";
import type { OpenFile } from "../../files/storage-backend.ts";
import type { Reply } from "./reply.ts";

export interface FileDescription {
  readonly contentType: string;
  /** Of what was stored, in bytes. */
  readonly size: number;
  /** Of what was stored, in hex. */
  readonly sha256: string;
  /** Letters, digits, `.`, `-` and `_` only: it is never what somebody sent. */
  readonly name: string;
  readonly disposition: "attachment" | "inline";
}

/** A viewer may show the file; whatever is in it may run nothing and fetch nothing. */
const SANDBOX = "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'";
/** What is no larger is looked at before it is answered. */
const WHOLE_BYTES = 1_048_576;

/**
 * A stored file as an answer: nobody keeps it on the way, and no browser takes it for anything else. Nobody is given
 * all of a file that is not what was stored: of a large one the answer breaks off before its end.
 * @throws `internal` where the file is damaged and no larger than 1 MiB, or of another size
 */
export async function fileReply(stored: OpenFile, file: FileDescription): Promise<Reply> {
  return {
    status: 200,
    headers: {
      "Content-Length": String(file.size),
      "Content-Disposition": `${file.disposition}; filename="${file.name}"`,
      "Content-Security-Policy": SANDBOX,
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "private, no-store",
      ETag: `"${file.sha256}"`,
    },
    raw: { type: file.contentType, content: await contentOf(stored, file) },
  };
}

async function contentOf(
  { size, content }: OpenFile,
  file: FileDescription,
): Promise<Buffer | Readable> {
  if (size !== file.size) {
    content.destroy();
    throw damaged(file);
  }
  const verified = Readable.from(verify(content, file), { objectMode: false });
  if (size > WHOLE_BYTES) return verified;
  return Buffer.concat((await verified.toArray()) as Buffer[]);
}

/** Keeps the last piece back until the whole is known to be right. */
async function* verify(content: Readable, file: FileDescription): AsyncGenerator<Buffer, void> {
  const hash = createHash("sha256");
  let last: Buffer | null = null;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk);
    if (last !== null) yield last;
    last = chunk;
  }
  if (hash.digest("hex") !== file.sha256) throw damaged(file);
  if (last !== null) yield last;
}

function damaged({ name, sha256 }: FileDescription): AppError {
  const cause = new Error(`${name} is not what was stored, SHA-256 ${sha256}`);
  return new AppError("internal", "A stored file is damaged.", { cause });
}
