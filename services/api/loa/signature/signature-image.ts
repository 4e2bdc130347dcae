import { crc32, deflateSync } from "node:zlib";
import { sizeText } from "../../../platform/byte-size.ts";
import type { ValueFault } from "../../requirements/check-value.ts";
import { isPng, readPngParts } from "./png-chunks.ts";
import { readPixels } from "./png-pixels.ts";

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

export type CheckedSignature = { readonly image: SignatureImage } | { readonly fault: ValueFault };

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
