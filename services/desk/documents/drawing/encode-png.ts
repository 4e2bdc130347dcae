import { crc32, deflateSync } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
/** PNG specification, section 11.2.2. */
const COLOUR_TYPE = { grey: 0, colour: 2 } as const;
/** Scans compress well enough, and a person waits. */
const LEVEL = 3;

export interface Picture {
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
export function encodePng({ width, height, kind, bits, rows }: Picture): Buffer {
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
