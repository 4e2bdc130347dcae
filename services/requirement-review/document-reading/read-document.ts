import type { FoundValue } from "../../domain/document/rules/check-result.ts";
import { documentTypeOf } from "../../domain/document/rules/document.ts";
import { countTiffPages } from "../../domain/document/rules/check-tiff.ts";
import { findValues, type Wanted } from "./rules/find-values.ts";

const NO_TEXT = { pages: [], isWhole: true };

/** What a document states beside its picture. */
export interface DocumentReading {
  /** Null where it cannot be opened. */
  readonly pages: number | null;
  readonly found: readonly FoundValue[];
}

/** Counts a document's pages and looks for values in its text; a picture has none. */
export async function readDocument(
  bytes: Buffer,
  wanted: readonly Wanted[],
): Promise<DocumentReading> {
  const pictured = (pages: number) => ({ pages, found: findValues(NO_TEXT, wanted) });
  switch (documentTypeOf(bytes)) {
    case "application/pdf": {
      // Loaded at the first PDF that is read: most workers only check files.
      const { readPdfText } = await import("./pdf-text.ts");
      const { pageCount, text } = await readPdfText(bytes);
      return { pages: pageCount, found: findValues(text, wanted) };
    }
    case "image/tiff":
      return pictured(countTiffPages(bytes));
    case "image/png":
    case "image/jpeg":
      return pictured(1);
    case null:
      return { pages: null, found: findValues(NO_TEXT, wanted) };
  }
}
