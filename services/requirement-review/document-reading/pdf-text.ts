import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { getDocument, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import type { DocumentText } from "./rules/find-values.ts";

/** What is read of one document: far more than any letter or bill has. */
const MOST_PAGES = 200;
const MOST_CHARACTERS = 400_000;

const folder = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));

export interface PdfText {
  /** All pages of the document, read or not. */
  readonly pageCount: number;
  /** A page's text is empty where it is a picture. */
  readonly text: DocumentText;
}

/** Extracts a PDF's text. Nothing is drawn, and no font of the machine is used. @throws where it cannot be read */
export async function readPdfText(bytes: Buffer): Promise<PdfText> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    cMapUrl: `${join(folder, "cmaps")}/`,
    standardFontDataUrl: `${join(folder, "standard_fonts")}/`,
    disableFontFace: true,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
    maxImageSize: 1,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const pdf = await task.promise;
    const pages: string[] = [];
    let left = MOST_CHARACTERS;
    for (let n = 1; n <= Math.min(pdf.numPages, MOST_PAGES) && left > 0; n += 1) {
      const page = await pdf.getPage(n);
      const { items } = await page.getTextContent();
      const text = textOf(items, left);
      page.cleanup();
      pages.push(text);
      left -= text.length;
    }
    const isWhole = pages.length === pdf.numPages && left > 0;
    return { pageCount: pdf.numPages, text: { pages, isWhole } };
  } finally {
    await task.destroy();
  }
}

function textOf(items: readonly object[], most: number): string {
  const parts: string[] = [];
  let left = most;
  for (const item of items) {
    if (!("str" in item) || typeof item.str !== "string") continue;
    const part = item.str + ("hasEOL" in item && item.hasEOL === true ? "\n" : "");
    parts.push(part.slice(0, left));
    left -= part.length;
    if (left <= 0) break;
  }
  return parts.join("");
}
