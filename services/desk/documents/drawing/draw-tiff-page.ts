import utif, { type TiffPage } from "utif2";
import { crc32, deflateSync } from "node:zlib";
import { checkTiff, countTiffPages } from "../../../domain/document/rules/check-tiff.ts";
import { documentTypeOf } from "../../../domain/document/rules/document.ts";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** PNG specification, section 11.2.2. */
const COLOUR_TYPE = { grey: 0, colour: 2 } as const;
/** Scans compress well enough, and a person waits. */
const LEVEL = 3;

interface Picture {
  readonly width: number;
  readonly height: number;
  readonly kind: keyof typeof COLOUR_TYPE;
  /** Bits of a pixel's grey, or of each of its three colours. */
  readonly bits: 1 | 8;
  /** Rows from the top, each of whole bytes. */
  readonly rows: Uint8Array;
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A picture as a PNG file. */
function encodePng({ width, height, kind, bits, rows }: Picture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(bits, 8);
  header.writeUInt8(COLOUR_TYPE[kind], 9);
  const rowBytes = Math.ceil((width * bits * (kind === "colour" ? 3 : 1)) / 8);
  // Each row begins with the number of its filter, of which 0 is none.
  const filtered = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y += 1) {
    filtered.set(rows.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  }
  const data = deflateSync(filtered, { level: LEVEL });
  const chunks = [chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

/** A page as a PNG file, or why there is none. */
export type Drawing =
  | { readonly kind: "drawn"; readonly png: Buffer; readonly pages: number }
  | { readonly kind: "no_page"; readonly pages: number }
  | { readonly kind: "not_drawable" };

/** Black and white take a bit a pixel until they are shown, colours four bytes: A3 at 1,200 dpi, and A4 at 600 dpi. */
const MOST_PIXELS = { bilevel: 300_000_000, colour: 36_000_000 } as const;
/** A browser keeps four bytes for each of these. */
const MOST_SHOWN = 36_000_000;

/** Draws a page of a TIFF, from 1. Pages larger than a browser shows well are drawn smaller. Never throws. */
export function drawTiffPage(bytes: Buffer, nth: number): Drawing {
  if (documentTypeOf(bytes) !== "image/tiff") return { kind: "not_drawable" };
  try {
    if (!checkTiff(bytes).passed) return { kind: "not_drawable" };
    const pages = countTiffPages(bytes);
    if (nth > pages) return { kind: "no_page", pages };
    const picture = decodePage(bytes, nth);
    if (picture === null) return { kind: "not_drawable" };
    return { kind: "drawn", png: encodePng(picture), pages };
  } catch {
    // The check or the decoder gave up: a compression that it does not know, or damaged data.
    return { kind: "not_drawable" };
  }
}

function decodePage(bytes: Buffer, nth: number): Picture | null {
  const all = utif.decode(bytes);
  const page = all[nth - 1];
  if (page === undefined) return null;
  const size = { width: numberIn(page, "t256"), height: numberIn(page, "t257") };
  const pixels = size.width * size.height;
  const isBilevel = numberIn(page, "t258", 1) === 1 && numberIn(page, "t277", 1) === 1;
  if (pixels > MOST_PIXELS[isBilevel ? "bilevel" : "colour"]) return null;
  utif.decodeImage(bytes, page, all);
  if (page.data === undefined) return null;
  // Photometric interpretations 0 and 1; other pages of one bit have a palette.
  if (!isBilevel || numberIn(page, "t262") > 1) return colourOf(page, size);
  const ink = inkOf(page, page.data, size);
  const step = Math.ceil(Math.sqrt(pixels / MOST_SHOWN));
  return step > 1 ? smaller(ink, step) : ink;
}

function numberIn(page: TiffPage, tag: `t${number}`, fallback = 0): number {
  const value = page[tag]?.[0];
  return typeof value === "number" ? value : fallback;
}

type Size = Pick<Picture, "width" | "height">;

/** Black and white, in which a PNG has white as 1; most faxes have it as 0. */
function inkOf(page: TiffPage, data: Uint8Array, size: Size): Picture {
  const isWhiteZero = numberIn(page, "t262") === 0;
  return { ...size, kind: "grey", bits: 1, rows: isWhiteZero ? data.map((byte) => ~byte) : data };
}

function colourOf(page: TiffPage, size: Size): Picture {
  const rgba = utif.toRGBA8(page);
  const rows = new Uint8Array(size.width * size.height * 3);
  for (let from = 0, to = 0; to < rows.length; from += 4, to += 3) {
    rows[to] = rgba[from] ?? 0;
    rows[to + 1] = rgba[from + 1] ?? 0;
    rows[to + 2] = rgba[from + 2] ?? 0;
  }
  return { ...size, kind: "colour", bits: 8, rows };
}

/** Each `step` by `step` pixels of black and white become one of grey, so that thin lines stay. */
function smaller({ width, height, rows }: Picture, step: number): Picture {
  const size = { width: Math.floor(width / step), height: Math.floor(height / step) };
  const rowBytes = Math.ceil(width / 8);
  const grey = new Uint8ClampedArray(size.width * size.height);
  const share = Math.ceil(255 / (step * step));
  for (let y = 0; y < size.height * step; y += 1) {
    const to = Math.floor(y / step) * size.width;
    for (let x = 0; x < size.width * step; x += 1) {
      const bit = ((rows[y * rowBytes + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      if (bit === 1)
        grey[to + Math.floor(x / step)] = (grey[to + Math.floor(x / step)] ?? 0) + share;
    }
  }
  return { ...size, kind: "grey", bits: 8, rows: new Uint8Array(grey.buffer) };
}
