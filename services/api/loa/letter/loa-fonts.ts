import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { trimFont } from "./trim-font.ts";

/** The faces of the letter. They hold Latin, Greek, Cyrillic, Hebrew and Arabic letters, and no Chinese ones. */
export type LoaFont = "regular" | "bold" | "oblique";

const resolve = createRequire(import.meta.url);

const FILES: Readonly<Record<LoaFont, string>> = {
  regular: "DejaVuSansCondensed.ttf",
  bold: "DejaVuSansCondensed-Bold.ttf",
  oblique: "DejaVuSansCondensed-Oblique.ttf",
};

/** What it takes to draw letters. Without the layout tables, which are read anew for every letter, one costs half. */
const TABLES: ReadonlySet<string> = new Set([
  "OS/2",
  "cmap",
  "cvt ",
  "fpgm",
  "glyf",
  "head",
  "hhea",
  "hmtx",
  "loca",
  "maxp",
  "name",
  "post",
  "prep",
]);

function read(file: string): Buffer {
  return trimFont(readFileSync(resolve.resolve(`dejavu-fonts-ttf/ttf/${file}`)), TABLES);
}

let loaded: Readonly<Record<LoaFont, Buffer>> | null = null;

/** The font files, read once. */
export function loaFonts(): Readonly<Record<LoaFont, Buffer>> {
  loaded ??= {
    regular: read(FILES.regular),
    bold: read(FILES.bold),
    oblique: read(FILES.oblique),
  };
  return loaded;
}
