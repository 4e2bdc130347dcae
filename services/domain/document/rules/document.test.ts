import { describe, expect, it } from "@jest/globals";
import { documentTypeOf } from "./document.ts";

const hex = (text: string): Buffer => Buffer.from(text, "hex");

describe("the type of a document", () => {
  it.each([
    ["a PDF", Buffer.from("%PDF-1.7\n"), "application/pdf"],
    ["a PDF that contains HTML", Buffer.from("%PDF-1.4 <html><script>"), "application/pdf"],
    ["a PDF after a byte order mark", Buffer.from("\ufeff%PDF-1.7"), "application/pdf"],
    ["a PDF after blank lines", Buffer.from("\r\n \t\0\n%PDF-1.7"), "application/pdf"],
    ["a PDF after both", Buffer.from("\ufeff\n\n%PDF-1.7"), "application/pdf"],
    ["a PNG", hex("89504e470d0a1a0a0000000d49484452"), "image/png"],
    ["a JPEG", hex("ffd8ffe000104a464946"), "image/jpeg"],
    ["a little-endian TIFF", hex("49492a0008000000"), "image/tiff"],
    ["a big-endian TIFF", hex("4d4d002a00000008"), "image/tiff"],
    ["a TIFF whose directory is far away", hex("49492a00f0ff0f00"), "image/tiff"],
  ])("%s", (_, head, type) => {
    expect(documentTypeOf(head)).toBe(type);
  });

  it.each([
    ["an empty file", Buffer.alloc(0)],
    ["the beginning of a signature", Buffer.from("%PDF")],
    [
      "a PDF after more blank lines than readers skip",
      Buffer.from(`${"\n".repeat(1_020)}%PDF-1.7`),
    ],
    ["HTML that contains a PDF", Buffer.from("<html>%PDF-1.7")],
    ["a ZIP, as office documents are", Buffer.from("PK\u0003\u0004%PDF-1.7")],
    ["an SVG", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["a GIF", Buffer.from("GIF89a")],
    ["a BigTIFF", hex("49492b0008000000")],
    ["zeros", Buffer.alloc(4_096)],
  ])("%s is not accepted", (_, head) => {
    expect(documentTypeOf(head)).toBeNull();
  });
});
