import { crc32, inflateSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import {
  buildManyPagesTiff,
  buildPng,
  buildTiff,
} from "../../../../test/support/documents/document-factory.ts";
import {
  buildColourTiff,
  FAX_SIZE,
  FAX_TIFF,
  isFaxInk,
} from "../../../../test/support/documents/fax-tiff.ts";
import { drawTiffPage } from "./draw-tiff-page.ts";

interface Drawn {
  readonly header: readonly number[];
  /** Each row's bytes, behind the number of its filter. */
  readonly rows: Buffer;
  readonly pages: number;
}

/** The kinds of a PNG's chunks, each of which has its checksum (PNG specification, section 5). */
function chunksOf(png: Buffer): string[] {
  const kinds: string[] = [];
  for (let at = 8; at < png.length;) {
    const end = at + 12 + png.readUInt32BE(at);
    expect(crc32(png.subarray(at + 4, end - 4))).toBe(png.readUInt32BE(end - 4));
    kinds.push(png.toString("latin1", at + 4, at + 8));
    at = end;
  }
  return kinds;
}

/** A drawing's content; our PNG has one chunk of data. */
function draw(tiff: Buffer, page: number): Drawn {
  const drawing = drawTiffPage(tiff, page);
  if (drawing.kind !== "drawn") throw new Error(drawing.kind);
  const { png, pages } = drawing;
  expect(chunksOf(png)).toEqual(["IHDR", "IDAT", "IEND"]);
  const header = [png.readUInt32BE(16), png.readUInt32BE(20), png.readUInt8(24), png.readUInt8(25)];
  const at = png.indexOf("IDAT");
  return { header, rows: inflateSync(png.subarray(at + 4)), pages };
}

describe("drawTiffPage", () => {
  it.each([1, 2] as const)("draws page %i of a fax, black on white", (page) => {
    const { width, height } = FAX_SIZE;
    const { header, rows, pages } = draw(FAX_TIFF, page);
    expect([header, pages]).toEqual([[width, height, 1, 0], 2]);
    const rowBytes = 1 + width / 8;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const byte = rows.readUInt8(y * rowBytes + 1 + (x >> 3));
        const isBlack = ((byte >> (7 - (x & 7))) & 1) === 0;
        expect([x, y, isBlack]).toEqual([x, y, isFaxInk(page, x, y)]);
      }
    }
  });

  it("draws colours", () => {
    const pixels = Buffer.from([255, 0, 0, 0, 128, 255]);
    const { header, rows } = draw(buildColourTiff({ width: 2, height: 1 }, pixels), 1);
    expect(header).toEqual([2, 1, 8, 2]);
    expect([...rows]).toEqual([0, ...pixels]);
  });

  it("draws a huge page of black and white smaller, in shades of grey", () => {
    const { header, rows } = draw(buildTiff({ width: 8_000, height: 5_000 }), 1);
    expect(header).toEqual([4_000, 2_500, 8, 0]);
    expect(rows.subarray(0, 5)).toEqual(Buffer.from([0, 255, 255, 255, 255]));
  });

  it("says where there is no such page", () => {
    expect(drawTiffPage(FAX_TIFF, 3)).toEqual({ kind: "no_page", pages: 2 });
  });

  it.each([
    ["a TIFF whose pages form a loop", buildTiff({ next: 12 })],
    ["a TIFF whose pages share one huge list", buildManyPagesTiff({ pages: 900, values: 2_000 })],
    ["another kind of file", buildPng()],
  ])("does not draw %s", (_name, bytes) => {
    expect(drawTiffPage(bytes, 1)).toEqual({ kind: "not_drawable" });
  });
});
