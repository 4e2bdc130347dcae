import { crc32, deflateSync } from "node:zlib";
import { describe, expect, it } from "@jest/globals";
import { checkLogo, MAX_LOGO_BYTES } from "./logo-image.ts";

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function png(width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.alloc((width + 1) * height))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Start, a comment, a frame of the size, a scan, end. */
function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from("ffc0000b080000000001011100", "hex");
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const scan = Buffer.from("ffda0008010100003f0012345678", "hex");
  const [start, comment, end] = ["ffd8", "fffe00046869", "ffd9"].map((hex) =>
    Buffer.from(hex, "hex"),
  );
  return Buffer.concat([start, comment, frame, scan, end].filter((part) => part !== undefined));
}

const codeOf = (bytes: Buffer): string => {
  const checked = checkLogo(bytes);
  return "type" in checked ? checked.type : checked.fault.code;
};

describe("a logo", () => {
  it("is known by its content", () => {
    expect(codeOf(png(160, 48))).toBe("image/png");
    expect(codeOf(jpeg(1_024, 1_024))).toBe("image/jpeg");
  });

  it.each([
    ["a picture that is too wide", png(1_025, 10), "image_too_large"],
    ["a JPEG that is too high", jpeg(10, 1_025), "image_too_large"],
    ["more bytes than a logo has", Buffer.alloc(MAX_LOGO_BYTES + 1), "too_large"],
    ["markup", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "invalid_image"],
    ["a PNG that was cut off", png(10, 10).subarray(0, -5), "invalid_image"],
    [
      "a PNG with something behind it",
      Buffer.concat([png(9, 9), Buffer.from("<script>")]),
      "invalid_image",
    ],
    ["a JPEG that was cut off", jpeg(10, 10).subarray(0, -2), "invalid_image"],
    ["a JPEG without a size", jpeg(0, 10), "invalid_image"],
    [
      "a JPEG whose segments are longer than it is",
      Buffer.from("ffd8fffeffffffd9", "hex"),
      "invalid_image",
    ],
    ["nothing", Buffer.alloc(0), "invalid_image"],
  ])("is not %s", (_what, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });
});
