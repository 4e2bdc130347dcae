import { crc32, deflateSync } from "node:zlib";

export interface PngSpec {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly colorType: number;
  /** Each row's bytes, preceded by the number of its filter. */
  readonly rows: readonly (readonly number[])[];
  readonly palette?: readonly number[];
  readonly transparency?: readonly number[];
  readonly interlace?: number;
}

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}

export function pngHeader(spec: Omit<PngSpec, "rows">): Buffer {
  const { width, height, depth, colorType, interlace = 0 } = spec;
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, colorType, 0, 0, interlace]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return pngChunk("IHDR", header);
}

/** A PNG exactly as described, even where that is invalid. */
export function buildPng(spec: PngSpec): Buffer {
  const { palette, transparency, rows } = spec;
  return Buffer.concat([
    PNG_SIGNATURE,
    pngHeader(spec),
    ...(palette === undefined ? [] : [pngChunk("PLTE", Buffer.from(palette))]),
    ...(transparency === undefined ? [] : [pngChunk("tRNS", Buffer.from(transparency))]),
    pngChunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A blue stroke on a transparent background, as a signature pad draws it. */
export function drawnSignature(width = 240, height = 80): Buffer {
  const rows = Array.from({ length: height }, (_row, y) => {
    const row = [0];
    for (let x = 0; x < width; x += 1) {
      const wave = height / 2 + Math.sin(x / 14) * (height / 3);
      row.push(
        ...(Math.abs(y - wave) < 2 && x > 20 && x < width - 20 ? [20, 40, 140, 255] : [0, 0, 0, 0]),
      );
    }
    return row;
  });
  return buildPng({ width, height, depth: 8, colorType: 6, rows });
}
