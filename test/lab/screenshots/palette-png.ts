import { deflateSync } from "node:zlib";
import { readPixels, readPngParts } from "../../../services/api/loa/signature-image.ts";
import { PNG_SIGNATURE, pngChunk, pngHeader } from "../../support/documents/png-factory.ts";

const MOST_COLOURS = 256;
const BYTE = 8;

interface Bucket {
  readonly index: number;
  readonly sum: [red: number, green: number, blue: number];
  count: number;
}

/** Colours that differ in the lowest bits only share a place in the palette; null where there are too many of them. */
function bucketsOf(pixels: Uint8Array, bits: number) {
  const buckets = new Map<number, Bucket>();
  const indexes = new Uint8Array(pixels.length / 3);
  const drop = BYTE - bits;
  for (let n = 0; n < indexes.length; n += 1) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(3 * n, 3 * n + 3);
    const key = ((red >> drop) << 16) | ((green >> drop) << BYTE) | (blue >> drop);
    const known = buckets.get(key);
    const bucket = known ?? { index: buckets.size, sum: [0, 0, 0], count: 0 };
    if (known === undefined) {
      if (buckets.size === MOST_COLOURS) return null;
      buckets.set(key, bucket);
    }
    bucket.sum[0] += red;
    bucket.sum[1] += green;
    bucket.sum[2] += blue;
    bucket.count += 1;
    indexes[n] = bucket.index;
  }
  return { buckets: [...buckets.values()], indexes };
}

/** The picture with a palette, in a third of the bytes: a page has few colours beside the edges of its letters. */
export function withPalette(png: Buffer): Buffer {
  const parts = readPngParts(png);
  const pixels = parts === null ? null : readPixels(parts);
  if (parts === null || pixels === null) throw new TypeError("The browser's picture is no PNG.");
  const { width, height } = parts;
  for (let bits = BYTE; bits > 0; bits -= 1) {
    const found = bucketsOf(pixels, bits);
    if (found === null) continue;
    const palette = found.buckets.flatMap(({ sum, count }) =>
      sum.map((all) => Math.round(all / count)),
    );
    const rows = Array.from({ length: height }, (_, y) =>
      Buffer.concat([Buffer.of(0), found.indexes.subarray(y * width, (y + 1) * width)]),
    );
    return Buffer.concat([
      PNG_SIGNATURE,
      pngHeader({ width, height, depth: BYTE, colorType: 3 }),
      pngChunk("PLTE", Buffer.from(palette)),
      pngChunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
      pngChunk("IEND", Buffer.alloc(0)),
    ]);
  }
  throw new TypeError("A palette of one bit has eight colours.");
}
