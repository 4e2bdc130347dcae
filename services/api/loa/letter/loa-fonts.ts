import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";
import { trimFont } from "./trim-font.ts";

/** The font faces of the letter. */
export type LoaFont = "regular" | "bold" | "oblique";

const resolve = createRequire(import.meta.url);

/** The tables needed to draw text. Without layout tables, making a letter costs half. */
const TABLES = "OS/2,cmap,cvt ,fpgm,glyf,head,hhea,hmtx,loca,maxp,name,post,prep".split(",");

function read(file: string): Font {
  const trimmed = trimFont(
    readFileSync(resolve.resolve(`dejavu-fonts-ttf/ttf/${file}`)),
    new Set(TABLES),
  );
  const font = create(trimmed);
  if ("fonts" in font) throw new TypeError(`${file} is a collection of fonts`);
  nameGlyphs(font);
  return font;
}

/**
 * A font keeps each glyph as it was first asked for: as a part of an accented letter it would have no character, in
 * every later letter of the process too. In these fonts each glyph has at most one character.
 */
function nameGlyphs(font: Font): void {
  for (const point of font.characterSet) font.glyphForCodePoint(point);
}

let loaded: Readonly<Record<LoaFont, Font>> | null = null;

/** The fonts, parsed once per process: parsing them for each letter would cost as much as drawing it. */
export function loaFonts(): Readonly<Record<LoaFont, Font>> {
  loaded ??= {
    regular: read("DejaVuSansCondensed.ttf"),
    bold: read("DejaVuSansCondensed-Bold.ttf"),
    oblique: read("DejaVuSansCondensed-Oblique.ttf"),
  };
  return loaded;
}

/**
 * What stands right when it is drawn character by character from left to right. The fonts have more: Hebrew and Arabic would
 * be mirrored, and a mark that has no accented letter in Unicode would stand beside its letter.
 */
const DRAWABLE =
  /^(?!\p{M})[\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{scx=Armenian}\p{scx=Georgian}\p{scx=Common}]$/u;

/** True if each font shows a line of text in normal form as it is read. */
export function isDrawable(line: string): boolean {
  const fonts = Object.values(loaFonts());
  return Array.from(line).every((character) => {
    const point = character.codePointAt(0) ?? 0;
    return DRAWABLE.test(character) && fonts.every((font) => font.hasGlyphForCodePoint(point));
  });
}
