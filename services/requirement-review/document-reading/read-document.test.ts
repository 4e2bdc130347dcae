import { describe, expect, it } from "@jest/globals";
import PDFKit from "pdfkit";
import {
  buildManyPagesTiff,
  buildPdf,
  buildPng,
} from "../../../test/support/documents/document-factory.ts";
import { numberParts } from "./rules/national-number.ts";
import type { Wanted } from "./rules/find-values.ts";
import { readDocument } from "./read-document.ts";

const NUMBER = "+12125550123";
const WANTED: readonly Wanted[] = [
  { what: "phone_number", number: NUMBER, parts: numberParts(NUMBER) },
  { what: "signer", value: "Ada Müller" },
];

/** A PDF with one text on each page. */
async function print(...pages: string[]): Promise<Buffer> {
  const pdf = new PDFKit();
  pages.forEach((text, n) => (n === 0 ? pdf : pdf.addPage()).text(text, { width: 200 }));
  pdf.end();
  return Buffer.concat((await pdf.toArray()) as Buffer[]);
}

describe("readDocument", () => {
  it("finds values in the text of a PDF, with their page", async () => {
    const pdf = await print("Dear reader", "Signed by ADA MULLER for (212) 555-0123");
    expect(await readDocument(pdf, WANTED)).toEqual({
      pages: 2,
      found: [
        { what: "phone_number", number: NUMBER, found: true, page: 2 },
        { what: "signer", number: null, found: true, page: 2 },
      ],
    });
  });

  it("reports what a PDF with text does not contain", async () => {
    const { found } = await readDocument(await print("Dear reader"), WANTED);
    expect(found.map((one) => one.found)).toEqual([false, false]);
  });

  it.each([
    ["a PDF without text", () => buildPdf({ pages: 3 }), 3],
    ["a PNG", () => buildPng(), 1],
    ["a TIFF", () => buildManyPagesTiff({ pages: 4 }), 4],
  ])("tells of %s only how many pages it has", async (_name, build, pages) => {
    const reading = await readDocument(await build(), WANTED);
    expect(reading.pages).toBe(pages);
    expect(reading.found.map(({ found }) => found)).toEqual([null, null]);
  });

  it("reads a bounded part of a long document, and reports nothing about the rest", async () => {
    const pages = Array.from({ length: 210 }, (_, n) => (n === 205 ? "Ada Muller" : `page ${n}`));
    const { pages: count, found } = await readDocument(await print(...pages), WANTED);
    expect(count).toBe(210);
    expect(found.map((one) => one.found)).toEqual([null, null]);
  });
});
