import { inflateSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  buildPng,
  drawnSignature,
  PNG_SIGNATURE,
  pngChunk,
  pngHeader,
  type PngSpec,
} from "../../../test/support/documents/png-factory.ts";
import {
  MAX_SIGNATURE_BYTES,
  readPixels,
  readPngParts,
  readSignatureImage,
} from "./signature-image.ts";

const DOT: PngSpec = { width: 1, height: 1, depth: 8, colorType: 0, rows: [[0, 0]] };

function faultOf(png: Buffer): string | null {
  const checked = readSignatureImage(png);
  return "fault" in checked ? checked.fault.code : null;
}

function pixelsOf(spec: Omit<PngSpec, "depth"> & { depth?: number }): number[] | null {
  const parts = readPngParts(buildPng({ depth: 8, ...spec }));
  const pixels = parts === null ? null : readPixels(parts);
  return pixels === null ? null : [...pixels];
}

describe("the pixels of a PNG", () => {
  const one = { width: 1, height: 1 };
  it.each<[string, Omit<PngSpec, "width" | "height">, number[]]>([
    ["gray", { colorType: 0, depth: 8, rows: [[0, 77]] }, [77, 77, 77]],
    ["gray of 1 bit", { colorType: 0, depth: 1, rows: [[0, 0x80]] }, [255, 255, 255]],
    ["gray of 4 bits", { colorType: 0, depth: 4, rows: [[0, 0x30]] }, [51, 51, 51]],
    ["gray of 16 bits", { colorType: 0, depth: 16, rows: [[0, 0x80, 0x00]] }, [128, 128, 128]],
    [
      "clear gray",
      { colorType: 0, depth: 8, rows: [[0, 7]], transparency: [0, 7] },
      [255, 255, 255],
    ],
    ["color", { colorType: 2, depth: 8, rows: [[0, 1, 2, 3]] }, [1, 2, 3]],
    [
      "clear color",
      { colorType: 2, depth: 8, rows: [[0, 1, 2, 3]], transparency: [0, 1, 0, 2, 0, 3] },
      [255, 255, 255],
    ],
    [
      "color of 16 bits",
      { colorType: 2, depth: 16, rows: [[0, 255, 255, 0, 0, 128, 0]] },
      [255, 0, 128],
    ],
    [
      "a palette",
      { colorType: 3, depth: 2, rows: [[0, 0x40]], palette: [9, 9, 9, 4, 5, 6] },
      [4, 5, 6],
    ],
    [
      "a palette with clear entries",
      { colorType: 3, depth: 8, rows: [[0, 0]], palette: [0, 0, 0], transparency: [128] },
      [127, 127, 127],
    ],
    ["gray with alpha", { colorType: 4, depth: 8, rows: [[0, 0, 51]] }, [204, 204, 204]],
    ["color with alpha", { colorType: 6, depth: 8, rows: [[0, 255, 0, 0, 255]] }, [255, 0, 0]],
  ])("are read from %s, on white", (_name, spec, expected) => {
    expect(pixelsOf({ ...one, ...spec })).toEqual(expected);
  });

  it.each([
    [1, [1, 10, 5, 250], [10, 15, 9]],
    [2, [2, 10, 5, 250], [110, 105, 94]],
    [3, [3, 10, 5, 250], [60, 85, 86]],
    [4, [4, 10, 5, 250], [110, 115, 109]],
  ])("are restored from filter %d", (_kind, row, expected) => {
    const above = [0, 100, 100, 100];
    const pixels = pixelsOf({ width: 3, height: 2, colorType: 0, rows: [above, row] });
    expect(pixels?.slice(9).filter((_value, n) => n % 3 === 0)).toEqual(expected);
  });

  it.each<[string, Partial<PngSpec>]>([
    ["too few rows", { height: 2 }],
    [
      "too many rows",
      {
        rows: [
          [0, 0],
          [0, 0],
        ],
      },
    ],
    ["an unknown filter", { rows: [[5, 0]] }],
    ["an index outside its palette", { colorType: 3, palette: [0, 0, 0], rows: [[0, 1]] }],
    ["no palette", { colorType: 3 }],
    ["a palette of half an entry", { colorType: 3, palette: [0, 0, 0, 1] }],
    ["more clear entries than colors", { colorType: 3, palette: [0, 0, 0], transparency: [1, 1] }],
    ["a clear color of the wrong size", { transparency: [1] }],
  ])("are refused with %s", (_name, fields) => {
    expect(pixelsOf({ ...DOT, ...fields })).toBeNull();
  });
});

describe("a signature image", () => {
  it("is cropped to its ink and encoded again, without any other content of the file", () => {
    const text = pngChunk("tEXt", Buffer.from("Comment\0canary"));
    const drawn = drawnSignature();
    const end = drawn.length - 12;
    const png = Buffer.concat([drawn.subarray(0, end), text, drawn.subarray(end)]);
    const checked = readSignatureImage(png);
    if ("fault" in checked) throw new Error(checked.fault.detail);
    expect(checked.image).toMatchObject({ width: 199 });
    expect(checked.image.height).toBeLessThan(60);
    expect(checked.image.png.includes("canary")).toBe(false);
    const again = readPngParts(checked.image.png);
    expect(again).toMatchObject({ colorType: 2, depth: 8, width: 199, interlaced: false });
    expect(again === null ? 0 : inflateSync(again.data).length).toBe(
      (199 * 3 + 1) * checked.image.height,
    );
  });

  const header = pngHeader(DOT);
  const data = pngChunk("IDAT", buildPng(DOT).subarray(41, -16));
  const end = pngChunk("IEND", Buffer.alloc(0));
  const whole = (...chunks: Buffer[]): Buffer => Buffer.concat([PNG_SIGNATURE, ...chunks]);

  it.each<[string, Buffer, string | null]>([
    ["a whole one", whole(header, data, end), null],
    ["no bytes", Buffer.alloc(0), "invalid_image"],
    ["a JPEG", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), "invalid_image"],
    ["only the first bytes", PNG_SIGNATURE, "invalid_image"],
    ["no header", whole(data, end), "invalid_image"],
    ["two headers", whole(header, header, data, end), "invalid_image"],
    ["no data", whole(header, end), "invalid_image"],
    ["no end", whole(header, data), "invalid_image"],
    ["data in two places", whole(header, data, pngChunk("tEXt", data), data, end), "invalid_image"],
    [
      "an unknown critical chunk",
      whole(header, pngChunk("ABCD", data), data, end),
      "invalid_image",
    ],
    ["bytes after its end", whole(header, data, end, Buffer.from([0])), "invalid_image"],
    ["a chunk longer than the file", whole(header, Buffer.alloc(12, 0x7f)), "invalid_image"],
    ["data that is not deflated", whole(header, pngChunk("IDAT", header), end), "invalid_image"],
    ["no width", buildPng({ ...DOT, width: 0 }), "invalid_image"],
    ["a depth of 3", buildPng({ ...DOT, depth: 3 }), "invalid_image"],
    ["a color type of 5", buildPng({ ...DOT, colorType: 5 }), "invalid_image"],
    ["interlace", buildPng({ ...DOT, interlace: 1 }), "invalid_image"],
    ["2,001 pixels of width", buildPng({ ...DOT, width: 2_001 }), "image_too_large"],
    ["1,001 pixels of height", buildPng({ ...DOT, height: 1_001 }), "image_too_large"],
    [
      "4 thousand million pixels of width",
      buildPng({ ...DOT, width: 2 ** 32 - 1 }),
      "image_too_large",
    ],
    ["nothing visible", buildPng({ ...DOT, rows: [[0, 255]] }), "blank_image"],
    ["too many bytes", Buffer.alloc(MAX_SIGNATURE_BYTES + 1), "too_large"],
  ])("with %s", (_name, png, code) => {
    expect(faultOf(png)).toBe(code);
  });

  it("of any bytes is read or refused, and never throws", () => {
    const drawn = drawnSignature(80, 20);
    const damage = fc.array(fc.tuple(fc.nat(drawn.length - 1), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(damage, fc.nat(drawn.length), (changes, length) => {
        const png = Buffer.from(drawn);
        for (const [at, byte] of changes) png[at] = byte;
        faultOf(png);
        expect(faultOf(drawn.subarray(0, length)) === null).toBe(length === drawn.length);
      }),
    );
  });

  it("with valid checksums around any content is read or refused, and never throws", () => {
    const chunk = fc
      .tuple(fc.constantFrom("PLTE", "tRNS", "IDAT", "gAMA"), fc.uint8Array({ maxLength: 40 }))
      .map(([type, bytes]) => pngChunk(type, Buffer.from(bytes)));
    const spec = fc.record({
      width: fc.nat(9),
      height: fc.nat(9),
      depth: fc.constantFrom(1, 2, 4, 8, 16),
      colorType: fc.constantFrom(0, 2, 3, 4, 6),
      rows: fc.array(fc.array(fc.nat(255), { maxLength: 24 }), { maxLength: 9 }),
      palette: fc.array(fc.nat(255), { maxLength: 12 }),
      transparency: fc.array(fc.nat(255), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(spec, fc.array(chunk, { maxLength: 3 }), (fields, chunks) => {
        faultOf(buildPng(fields));
        faultOf(whole(pngHeader(fields), ...chunks, end));
      }),
      { numRuns: 500 },
    );
  });
});
