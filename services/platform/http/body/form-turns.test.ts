import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import type { ReceivedFile } from "../../files/temporary-upload.ts";
import { readForm } from "./read-form.ts";

const FORMS = 8;
const CHUNKS = 6;
const CHUNK = Buffer.alloc(32_768, "x");
const HEAD = Buffer.from(
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n',
);
const headers = {
  "content-type": "multipart/form-data; boundary=b",
  "transfer-encoding": "chunked",
};

/** Sends forms, each for the owner that it is given; the most pieces of files that came in one turn of the event loop. */
async function mostPiecesInATurn(ownerOf: (n: number) => string): Promise<number> {
  let [pieces, most, isOver] = [0, 0, false];
  const nextTurn = (): void => {
    pieces = 0;
    if (!isOver) setImmediate(nextTurn);
  };
  setImmediate(nextTurn);
  const files = {
    receive: async (content: Readable): Promise<ReceivedFile> => {
      for await (const piece of content as AsyncIterable<Buffer>) {
        pieces += Math.sign(piece.length);
        most = Math.max(most, pieces);
      }
      return {} as ReceivedFile;
    },
    discard: () => Promise.resolve(),
  };
  const body = [HEAD, ...Array<Buffer>(CHUNKS).fill(CHUNK), Buffer.from("\r\n--b--\r\n")];
  const send = (n: number) => {
    const request = Object.assign(Readable.from(body), { headers }) as unknown as IncomingMessage;
    const limits = { maxFileBytes: 1_048_576, files, owner: ownerOf(n) };
    return readForm(request, {} as ServerResponse, limits);
  };
  await Promise.all(Array.from({ length: FORMS }, (_, n) => send(n)));
  isOver = true;
  return most;
}

describe("forms that come at once", () => {
  it("from one owner are read one chunk at a time", async () => {
    expect(await mostPiecesInATurn(() => "ours")).toBeLessThanOrEqual(2);
  });

  it("from several owners do not wait for one another", async () => {
    expect(await mostPiecesInATurn((n) => `owner ${n}`)).toBeGreaterThan(2);
  });
});
