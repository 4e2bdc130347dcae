import { PDFDocument } from "@cantoo/pdf-lib";
import { crc32, deflateSync } from "node:zlib";

const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** A PDF of `pages` pages, encrypted where a password is given. */
export async function buildPdf({ pages = 1, password = "" } = {}): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  for (let n = 0; n < pages; n += 1) pdf.addPage([200, 200]);
  if (password !== "") pdf.encrypt({ userPassword: password, ownerPassword: password });
  return Buffer.from(await pdf.save({ addDefaultPage: false }));
}

/** The PDF as programs save it that forbid printing and editing: encrypted, but without a password to open it. */
export async function restrictPdf(bytes: Buffer): Promise<Buffer> {
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
  pdf.encrypt({ ownerPassword: "owner", permissions: { printing: false, modifying: false } });
  return Buffer.from(await pdf.save());
}

const PDF_HEAD = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R>>endobj
`;
const PDF_TAIL = "trailer<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n";

/** A PDF of one page with `middle` between its page and its trailer. */
export function buildPdfAround(middle: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(PDF_HEAD), Buffer.from(middle), Buffer.from(PDF_TAIL)]);
}

/** An object stream that grows to `megabytes` when it is inflated. */
export function buildInflatingPdf(megabytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, "1 0 "), { level: 9 });
  const dict = `<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${packed.length}>>`;
  const head = Buffer.from(`4 0 obj${dict}stream\n`);
  return buildPdfAround(Buffer.concat([head, packed, Buffer.from("\nendstream\nendobj\n")]));
}

/** A PDF of one page and `count` empty objects. */
export function buildManyObjectsPdf(count: number): Buffer {
  return buildPdfAround(
    Array.from({ length: count }, (_, n) => `${n + 4} 0 obj<<>>endobj\n`).join(""),
  );
}

function pngChunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** A grey PNG whose header states `width` by `height`; its data is one pixel. */
export function buildPng(width = 1, height = 1): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const data = deflateSync(Buffer.from([0, 0]));
  const chunks = [pngChunk("IHDR", header), pngChunk("IDAT", data)];
  return Buffer.concat([PNG_SIGNATURE, ...chunks, pngChunk("IEND", Buffer.alloc(0))]);
}

/** A JPEG's segments as a scanner writes them, `width` by `height` pixels. */
export function buildJpeg(width = 16, height = 16): Buffer {
  const frame = Buffer.from("ffc0000b080000000001011100", "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const app0 = Buffer.from("ffe000104a46494600010100000100010000", "hex");
  const scan = Buffer.from("ffda0008010100003f00d2cf20ff00ffd9", "hex");
  return Buffer.concat([Buffer.from("ffd8", "hex"), app0, frame, scan]);
}

/** A TIFF of one page in one strip of four bytes; `next` is the offset of the following page. */
export function buildTiff({ width = 2, height = 2, next = 0, stripBytes = 4 } = {}): Buffer {
  const entries = [
    [256, width],
    [257, height],
    [273, 8],
    [279, stripBytes],
  ] as const;
  const bytes = Buffer.alloc(12 + 2 + entries.length * 12 + 4);
  bytes.write("II*\0", "latin1");
  bytes.writeUInt32LE(12, 4);
  bytes.writeUInt16LE(entries.length, 12);
  entries.forEach(([tag, value], n) => {
    const at = 14 + n * 12;
    bytes.writeUInt16LE(tag, at);
    bytes.writeUInt16LE(4, at + 2);
    bytes.writeUInt32LE(1, at + 4);
    bytes.writeUInt32LE(value, at + 8);
  });
  bytes.writeUInt32LE(next, bytes.length - 4);
  return bytes;
}

/** Pages that all state the same strips, a list of `values` numbers that lies in the file once. */
export function buildManyPagesTiff({ pages = 1, values = 1 } = {}): Buffer {
  const list = 8;
  const first = list + values * 4;
  const size = 2 + 4 * 12 + 4;
  const bytes = Buffer.alloc(first + pages * size);
  bytes.write("II*\0", "latin1");
  bytes.writeUInt32LE(first, 4);
  for (let page = 0; page < pages; page += 1) {
    const at = first + page * size;
    const entries = [
      [256, 1, 2],
      [257, 1, 2],
      [273, values, list],
      [279, values, list],
    ] as const;
    bytes.writeUInt16LE(entries.length, at);
    entries.forEach(([tag, count, value], n) => {
      const entry = at + 2 + n * 12;
      bytes.writeUInt16LE(tag, entry);
      bytes.writeUInt16LE(4, entry + 2);
      bytes.writeUInt32LE(count, entry + 4);
      bytes.writeUInt32LE(value, entry + 8);
    });
    bytes.writeUInt32LE(page + 1 < pages ? at + size : 0, at + size - 4);
  }
  return bytes;
}

/** Objects that never end: a lenient parser searches the whole rest of the file for the end of each. */
export function buildSlowPdf(): Buffer {
  return buildPdfAround("4 0 obj ]\n".repeat(200_000));
}
