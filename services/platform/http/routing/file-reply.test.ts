import { createHash } from "node:crypto";
import { once } from "node:events";
import { Readable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { fileReply } from "./file-reply.ts";

const PIECE = 65_536;
const LARGE = 40;

function description(whole: Buffer) {
  return {
    contentType: "application/pdf",
    size: whole.length,
    sha256: createHash("sha256").update(whole).digest("hex"),
    name: "loa.pdf",
    disposition: "attachment",
  } as const;
}

function file(pieces: readonly Buffer[]) {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
  return { size, content: Readable.from(pieces, { objectMode: false }) };
}

const pieces = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, n) => Buffer.alloc(PIECE, n));

/** The same, with one bit of the last chunk flipped. */
function spoiled(whole: readonly Buffer[]): Buffer[] {
  const copy = whole.map((piece) => Buffer.from(piece));
  const last = copy.at(-1);
  if (last !== undefined) last[0] = (last[0] ?? 0) ^ 1;
  return copy;
}

describe("a stored file as a response", () => {
  it.each([0, 1, 3, LARGE])("has the stored content, in %s chunks", async (count) => {
    const stored = pieces(count);
    const whole = Buffer.concat(stored);
    const { headers, raw } = await fileReply(file(stored), description(whole));
    expect(headers?.["Content-Length"]).toBe(String(whole.length));
    const content = raw?.content;
    const sent = content instanceof Readable ? await content.toArray() : [content];
    expect(Buffer.concat(sent as Buffer[]).equals(whole)).toBe(true);
    expect(content instanceof Readable).toBe(count === LARGE);
  });

  it("is refused if small and damaged", async () => {
    const stored = pieces(3);
    const reply = fileReply(file(spoiled(stored)), description(Buffer.concat(stored)));
    await expect(reply).rejects.toMatchObject({ code: "internal" });
  });

  it("is closed where nothing of it is sent", async () => {
    const stored = pieces(LARGE);
    const unread = file(stored);
    const { raw } = await fileReply(unread, description(Buffer.concat(stored)));
    const closed = once(unread.content, "close");
    if (raw?.content instanceof Readable) raw.content.destroy();
    await closed;
    expect(unread.content.destroyed).toBe(true);
  });

  it("is refused if truncated at any size, and is closed", async () => {
    const stored = pieces(LARGE);
    const short = file(stored.slice(1));
    const reply = fileReply(short, description(Buffer.concat(stored)));
    await expect(reply).rejects.toMatchObject({ code: "internal" });
    expect(short.content.destroyed).toBe(true);
  });

  it("is aborted before its end if large and damaged", async () => {
    const stored = pieces(LARGE);
    const whole = Buffer.concat(stored);
    const { raw } = await fileReply(file(spoiled(stored)), description(whole));
    const sent: Buffer[] = [];
    const reading = (async () => {
      const content = raw?.content as Readable;
      for await (const chunk of content) sent.push(chunk as Buffer);
    })();
    await expect(reading).rejects.toMatchObject({ code: "internal" });
    expect(Buffer.concat(sent).length).toBeLessThan(whole.length);
  });
});
