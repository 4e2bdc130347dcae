import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { AppError } from "../../errors.ts";
import type { OpenFile } from "../../files/file-store.ts";
import type { Reply } from "./reply.ts";

interface FileDescription {
  readonly contentType: string;
  /** Of the stored content, in bytes. */
  readonly size: number;
  /** Of the stored content, in hex. */
  readonly sha256: string;
  /** Only letters, digits, `.`, `-` and `_`; never the name that was uploaded. */
  readonly name: string;
  readonly disposition: "attachment" | "inline";
}

/** A viewer may show the file, but its content may not run scripts or fetch anything. */
const SANDBOX = "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'";
/** Files up to this size are verified before the response starts. */
const WHOLE_BYTES = 1_048_576;

/**
 * A stored file as a response, which is never cached and keeps its declared type. A damaged file is never
 * served completely: for a large one the response is aborted before its end.
 * @throws `internal` if the file has the wrong size, or is damaged and no larger than 1 MiB
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
  if (size > WHOLE_BYTES) {
    // Of a HEAD, or a client that left, nothing is read, and what was not begun does not end by itself.
    return verified.once("close", () => content.destroy());
  }
  return Buffer.concat((await verified.toArray()) as Buffer[]);
}

/** Holds the last chunk back until the whole file is verified. */
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
  const cause = new Error(`${name} differs from what was stored, SHA-256 ${sha256}`);
  return new AppError("internal", "A stored file is damaged.", { cause });
}
