import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { trimFont } from "./trim-font.ts";

/** The font faces of the letter. They have Latin, Greek, Cyrillic, Hebrew and Arabic letters, but no Chinese ones. */
export type LoaFont = "regular" | "bold" | "oblique";

const resolve = createRequire(import.meta.url);

/** The tables needed to draw text. Layout tables are read again for every LOA; without them, making one costs half. */
const TABLES = "OS/2,cmap,cvt ,fpgm,glyf,head,hhea,hmtx,loca,maxp,name,post,prep".split(",");

function read(file: string): Buffer {
  const font = readFileSync(resolve.resolve(`dejavu-fonts-ttf/ttf/${file}`));
  return trimFont(font, new Set(TABLES));
}

let loaded: Readonly<Record<LoaFont, Buffer>> | null = null;

/** The font files, read once per process. */
export function loaFonts(): Readonly<Record<LoaFont, Buffer>> {
  loaded ??= {
    regular: read("DejaVuSansCondensed.ttf"),
    bold: read("DejaVuSansCondensed-Bold.ttf"),
    oblique: read("DejaVuSansCondensed-Oblique.ttf"),
  };
  return loaded;
}
