import { crc32 } from "node:zlib";

/** The parts of a PNG that make up its image. */
export interface PngParts {
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
