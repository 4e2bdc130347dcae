import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { trimFont } from "./trim-font.ts";

/** The faces of the letter. They hold Latin, Greek, Cyrillic, Hebrew and Arabic letters, and no Chinese ones. */
export type LoaFont = "regular" | "bold" | "oblique";

const resolve = createRequire(import.meta.url);

/** What it takes to draw letters. Without the layout tables, which are read again for every letter, one costs half. */
const TABLES = "OS/2,cmap,cvt ,fpgm,glyf,head,hhea,hmtx,loca,maxp,name,post,prep".split(",");

function read(file: string): Buffer {
  const font = readFileSync(resolve.resolve(`dejavu-fonts-ttf/ttf/${file}`));
  return trimFont(font, new Set(TABLES));
}

let loaded: Readonly<Record<LoaFont, Buffer>> | null = null;

/** The font files, read once. */
export function loaFonts(): Readonly<Record<LoaFont, Buffer>> {
  loaded ??= {
    regular: read("DejaVuSansCondensed.ttf"),
    bold: read("DejaVuSansCondensed-Bold.ttf"),
    oblique: read("DejaVuSansCondensed-Oblique.ttf"),
  };
  return loaded;
}
