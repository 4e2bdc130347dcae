import { crc32, deflateSync, inflateSync } from "node:zlib";
import { sizeText } from "../../platform/characters.ts";
import type { ValueFault } from "../requirements/check-value.ts";

/** The parts of a PNG that make up its image. */
interface PngParts {
  readonly width: number;
  readonly height: number;
  /** Bits per sample. */
  readonly depth: number;
  readonly colorType: number;
  readonly interlaced: boolean;
  readonly palette: Buffer | null;
  readonly transparency: Buffer | null;
  /** The image data, still compressed. */
  readonly data: Buffer;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Bytes before a chunk's data (length and type), and around it (with the checksum). */
const BEFORE = 8;
const AROUND = 12;
const HEADER_BYTES = 13;

/** The bit depths allowed for each color type (PNG, table 11.1). */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE);
}

/** The parts of an intact PNG; null if a checksum is wrong, or a chunk is missing, duplicated or after the end. */
export function readPngParts(png: Buffer): PngParts | null {
  const chunks = isPng(png) ? readChunks(png) : null;
  if (chunks === null || !isInOrder(chunks)) return null;
  const header = readHeader(chunks[0]?.data);
  if (header === null) return null;
  const find = (type: string): Buffer | null =>
    chunks.find((chunk) => chunk.type === type)?.data ?? null;
  const data = Buffer.concat(dataChunks(chunks).map((chunk) => chunk.data));
  return { ...header, palette: find("PLTE"), transparency: find("tRNS"), data };
}

function readChunks(png: Buffer): Chunk[] | null {
  const chunks: Chunk[] = [];
  let at = SIGNATURE.length;
  while (at + AROUND <= png.length) {
    const length = png.readUInt32BE(at);
    const end = at + BEFORE + length;
    if (end + 4 > png.length) return null;
    if (crc32(png.subarray(at + 4, end)) !== png.readUInt32BE(end)) return null;
    chunks.push({
      type: png.toString("latin1", at + 4, at + BEFORE),
      data: png.subarray(at + BEFORE, end),
    });
    at = end + 4;
  }
  return at === png.length ? chunks : null;
}

function dataChunks(chunks: readonly Chunk[]): Chunk[] {
  return chunks.filter((chunk) => chunk.type === "IDAT");
}

/** IHDR first, IEND last, the IDAT chunks consecutive, at most one of each other, no unknown critical chunk. */
function isInOrder(chunks: readonly Chunk[]): boolean {
  const types = chunks.map((chunk) => chunk.type);
  const known = ["IHDR", "PLTE", "IDAT", "IEND"];
  const firstData = types.indexOf("IDAT");
  return (
    types[0] === "IHDR" &&
    types.at(-1) === "IEND" &&
    chunks.at(-1)?.data.length === 0 &&
    firstData > 0 &&
    types.lastIndexOf("IDAT") - firstData + 1 === dataChunks(chunks).length &&
    ["IHDR", "PLTE", "tRNS", "IEND"].every(
      (one) => types.indexOf(one) === types.lastIndexOf(one),
    ) &&
    types.every((type) => /^[a-z][a-z]{3}$/i.test(type)) &&
    types.every((type) => known.includes(type) || /^[a-z]/.test(type))
  );
}

function readHeader(
  data: Buffer | undefined,
): Omit<PngParts, "palette" | "transparency" | "data"> | null {
  if (data?.length !== HEADER_BYTES) return null;
  const width = data.readUInt32BE(0);
  const height = data.readUInt32BE(4);
  const [depth = 0, colorType = 0, compression, filter, interlace = 0] = data.subarray(8);
  const allowed = DEPTHS[colorType]?.includes(depth) === true;
  if (!allowed || compression !== 0 || filter !== 0 || interlace > 1) return null;
  if (width === 0 || height === 0) return null;
  return { width, height, depth, colorType, interlaced: interlace === 1 };
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE = 3;
const WHITE = 255;

/**
 * The image on white, three bytes per pixel; null if its data is corrupt or interlaced. Not by pngjs 7.0.0, which takes a
 * PNG without data, with too few rows or with data that does not inflate for a black picture.
 */
export function readPixels(parts: PngParts): Uint8Array | null {
  if (parts.interlaced || !isPaletteSound(parts)) return null;
  const rows = inflateRows(parts);
  if (rows === null) return null;
  const colorOf = colorReader(parts);
  const pixels = new Uint8Array(parts.width * parts.height * 3);
  let at = 0;
  for (const row of rows) {
    const sampleOf = sampleReader(row, parts.depth);
    for (let x = 0; x < parts.width; x += 1) {
      const color = colorOf(sampleOf, x);
      if (color === null) return null;
      const [red, green, blue, alpha] = color;
      pixels[at] = onWhite(red, alpha);
      pixels[at + 1] = onWhite(green, alpha);
      pixels[at + 2] = onWhite(blue, alpha);
      at += 3;
    }
  }
  return pixels;
}

function onWhite(value: number, alpha: number): number {
  return Math.round((value * alpha + WHITE * (255 - alpha)) / 255);
}

function isPaletteSound({ palette, transparency, colorType, depth }: PngParts): boolean {
  const known = transparency?.length ?? 0;
  if (colorType === 0) return transparency === null || known === 2;
  if (colorType === 2) return transparency === null || known === 6;
  if (colorType !== PALETTE) return true;
  const entries = (palette?.length ?? 0) / 3;
  return Number.isInteger(entries) && entries >= 1 && entries <= 2 ** depth && known <= entries;
}

/** The unfiltered rows; the data must inflate to exactly the size that the header implies. */
function inflateRows({ width, height, depth, colorType, data }: PngParts): Uint8Array[] | null {
  const bits = (CHANNELS[colorType] ?? 1) * depth;
  const rowBytes = Math.ceil((width * bits) / 8);
  const expected = (rowBytes + 1) * height;
  let bytes: Buffer;
  try {
    bytes = inflateSync(data, { maxOutputLength: expected });
  } catch {
    // zlib rejects the data, or there is more of it than expected: not a valid image.
    return null;
  }
  if (bytes.length !== expected) return null;
  const rows: Uint8Array[] = [];
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y += 1) {
    const start = y * (rowBytes + 1);
    const row = bytes.subarray(start + 1, start + 1 + rowBytes);
    if (!unfilter(row, above, { kind: bytes[start] ?? 0, step: Math.max(1, bits >> 3) }))
      return null;
    rows.push(row);
    above = row;
  }
  return rows;
}

/** Predicts a byte from its neighbours, by filter type (PNG, section 9). */
const PREDICTORS: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_left, up) => up,
  (left, up) => (left + up) >> 1,
  nearest,
];

/** Undoes a row's filter in place (PNG, section 9); false for an unknown filter type. */
function unfilter(
  row: Uint8Array,
  above: Uint8Array,
  { kind, step }: { readonly kind: number; readonly step: number },
): boolean {
  const predict = PREDICTORS[kind];
  if (predict === undefined) return false;
  if (kind === 0) return true;
  for (let x = 0; x < row.length; x += 1) {
    const left = x < step ? 0 : (row[x - step] ?? 0);
    const up = above[x] ?? 0;
    const corner = x < step ? 0 : (above[x - step] ?? 0);
    row[x] = ((row[x] ?? 0) + predict(left, up, corner)) & 0xff;
  }
  return true;
}

function nearest(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

type SampleReader = (n: number) => number;
type Color = readonly [red: number, green: number, blue: number, alpha: number];

/** Reads the n-th sample of a row, from 0 to the maximum of its bit depth. */
function sampleReader(row: Uint8Array, depth: number): SampleReader {
  if (depth === 8) return (n) => row[n] ?? 0;
  if (depth === 16) return (n) => ((row[2 * n] ?? 0) << 8) | (row[2 * n + 1] ?? 0);
  const perByte = 8 / depth;
  const mask = 2 ** depth - 1;
  return (n) => {
    const byte = row[Math.floor(n / perByte)] ?? 0;
    return (byte >> (8 - depth * ((n % perByte) + 1))) & mask;
  };
}

/** Reads the color of the n-th pixel of a row; null if its index is outside the palette. */
function colorReader({
  colorType,
  depth,
  palette,
  transparency,
}: PngParts): (sampleOf: SampleReader, n: number) => Color | null {
  const scale = 255 / (2 ** depth - 1);
  const clear = [0, 2, 4].map((at) => transparency?.subarray(at, at + 2)).map(toSample);
  switch (colorType) {
    case 0:
      return (sampleOf, n) => {
        const gray = sampleOf(n);
        return shade(gray * scale, gray === clear[0] ? 0 : 255);
      };
    case 2:
      return (sampleOf, n) => {
        const rgb = [sampleOf(3 * n), sampleOf(3 * n + 1), sampleOf(3 * n + 2)] as const;
        const isClear = rgb.every((value, channel) => value === clear[channel]);
        return [rgb[0] * scale, rgb[1] * scale, rgb[2] * scale, isClear ? 0 : 255];
      };
    case PALETTE:
      return (sampleOf, n) => {
        const index = sampleOf(n);
        const [red, green, blue] = palette?.subarray(index * 3, index * 3 + 3) ?? [];
        if (red === undefined || green === undefined || blue === undefined) return null;
        return [red, green, blue, transparency?.[index] ?? 255];
      };
    case 4:
      return (sampleOf, n) => shade(sampleOf(2 * n) * scale, sampleOf(2 * n + 1) * scale);
    default:
      return (sampleOf, n) => [
        sampleOf(4 * n) * scale,
        sampleOf(4 * n + 1) * scale,
        sampleOf(4 * n + 2) * scale,
        sampleOf(4 * n + 3) * scale,
      ];
  }
}

function shade(gray: number, alpha: number): Color {
  return [gray, gray, gray, alpha];
}

function toSample(bytes: Buffer | undefined): number | null {
  return bytes?.length === 2 ? bytes.readUInt16BE(0) : null;
}

export const MAX_SIGNATURE_BYTES = 256 * 1024;
const MAX_WIDTH = 2_000;
const MAX_HEIGHT = 1_000;
/** A pixel darker than this in any color channel is ink. */
const INK_BELOW = 240;

/** A signature as it is drawn in the letter: on white, cropped to its ink, encoded again to drop any other content. */
export interface SignatureImage {
  readonly width: number;
  readonly height: number;
  readonly png: Buffer;
}

type CheckedSignature = { readonly image: SignatureImage } | { readonly fault: ValueFault };

/**
 * Reads every pixel of a PNG before the PDF library does, which decodes images in a callback of its own where an error
 * cannot be caught. Takes up to about 100 ms for the largest image.
 */
export function readSignatureImage(png: Buffer): CheckedSignature {
  if (png.length > MAX_SIGNATURE_BYTES) {
    return fault(
      "too_large",
      `The image may have at most ${sizeText(MAX_SIGNATURE_BYTES)}; it has ${png.length} bytes.`,
    );
  }
  if (!isPng(png)) return fault("invalid_image", "It is not a PNG.");
  const parts = readPngParts(png);
  if (parts === null) return fault("invalid_image", "The PNG is damaged.");
  const { width, height } = parts;
  if (width > MAX_WIDTH || height > MAX_HEIGHT) {
    const most = `It may be at most ${MAX_WIDTH} by ${MAX_HEIGHT} pixels`;
    return fault("image_too_large", `${most}; it is ${width} by ${height}.`);
  }
  if (parts.interlaced) return fault("invalid_image", "Interlaced PNGs are not supported.");
  const pixels = readPixels(parts);
  if (pixels === null) return fault("invalid_image", "The PNG is damaged.");
  const ink = inkOf(pixels, width);
  if (ink === null) return fault("blank_image", "The image is blank.");
  return { image: cutOut(pixels, width, ink) };
}

function fault(code: string, detail: string): CheckedSignature {
  return { fault: { code, detail } };
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The smallest box around all ink, edges included. */
function inkOf(pixels: Uint8Array, width: number): Box | null {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let at = 0; at < pixels.length; at += 3) {
    const darkest = Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    if (darkest >= INK_BELOW) continue;
    const x = (at / 3) % width;
    const y = Math.floor(at / 3 / width);
    left = Math.min(left, x);
    right = Math.max(right, x);
    if (top < 0) top = y;
    bottom = y;
  }
  return top < 0 ? null : { left, right, top, bottom };
}

function cutOut(pixels: Uint8Array, stride: number, box: Box): SignatureImage {
  const width = box.right - box.left + 1;
  const height = box.bottom - box.top + 1;
  const rows = Buffer.alloc(height * (1 + width * 3));
  for (let y = 0; y < height; y += 1) {
    const from = ((box.top + y) * stride + box.left) * 3;
    rows.set(pixels.subarray(from, from + width * 3), y * (1 + width * 3) + 1);
  }
  return { width, height, png: encode(width, height, rows) };
}

/** Encodes 8-bit RGB without filters, which a PDF can embed as it is. */
function encode(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
