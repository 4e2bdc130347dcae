import type { OpenFile } from "../files/shelf.ts";
import type { Reply } from "./reply.ts";

export interface FileDescription {
  readonly contentType: string;
  /** In hex. */
  readonly sha256: string;
  /** Letters, digits, `.`, `-` and `_` only: it is never what somebody sent. */
  readonly name: string;
  readonly disposition: "attachment" | "inline";
}

/** A viewer may show the file; whatever is in it may run nothing and fetch nothing. */
const SANDBOX = "sandbox; default-src 'none'; img-src 'self'; style-src 'unsafe-inline'";

/** A stored file as an answer: nobody keeps it on the way, and no browser takes it for anything else. */
export function fileReply({ size, content }: OpenFile, file: FileDescription): Reply {
  return {
    status: 200,
    headers: {
      "Content-Length": String(size),
      "Content-Disposition": `${file.disposition}; filename="${file.name}"`,
      "Content-Security-Policy": SANDBOX,
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "private, no-store",
      ETag: `"${file.sha256}"`,
    },
    raw: { type: file.contentType, content },
  };
}
