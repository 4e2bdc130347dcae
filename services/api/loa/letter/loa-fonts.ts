import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";

const DIRECTORY_BYTES = 12;
const ENTRY_BYTES = 16;

interface Table {
  readonly tag: string;
  readonly checksum: number;
  readonly content: Buffer;
}

function tablesOf(font: Buffer): Table[] {
  return Array.from({ length: font.readUInt16BE(4) }, (_, n) => {
    const at = DIRECTORY_BYTES + n * ENTRY_BYTES;
    const offset = font.readUInt32BE(at + 8);
    return {
      tag: font.toString("latin1", at, at + 4),
      checksum: font.readUInt32BE(at + 4),
      content: font.subarray(offset, offset + font.readUInt32BE(at + 12)),
    };
  });
}

const POST_HEAD_BYTES = 32;
const POST_WITHOUT_NAMES = 0x00030000;

/** Keeps only the header of table `post`: version 3 has no glyph names, which a PDF does not need. */
function withoutNames({ tag, content, ...table }: Table): Table {
  if (tag !== "post") return { ...table, tag, content };
  const head = Buffer.from(content.subarray(0, POST_HEAD_BYTES));
  head.writeUInt32BE(POST_WITHOUT_NAMES, 0);
  return { ...table, tag, content: head };
}

const padded = (length: number): number => Math.ceil(length / 4) * 4;

/** Returns the TrueType font with only these tables, as an sfnt file (OpenType specification, "Font tables"). */
function trimFont(font: Buffer, wanted: ReadonlySet<string>): Buffer {
  const tables = tablesOf(font)
    .filter(({ tag }) => wanted.has(tag))
    .map(withoutNames);
  const head = DIRECTORY_BYTES + tables.length * ENTRY_BYTES;
  const size = tables.reduce((sum, { content }) => sum + padded(content.length), head);
  const trimmed = Buffer.alloc(size);
  const power = Math.floor(Math.log2(tables.length));
  trimmed.writeUInt32BE(font.readUInt32BE(0), 0);
  trimmed.writeUInt16BE(tables.length, 4);
  trimmed.writeUInt16BE(2 ** power * ENTRY_BYTES, 6);
  trimmed.writeUInt16BE(power, 8);
  trimmed.writeUInt16BE((tables.length - 2 ** power) * ENTRY_BYTES, 10);
  let offset = head;
  tables.forEach(({ tag, checksum, content }, n) => {
    const at = DIRECTORY_BYTES + n * ENTRY_BYTES;
    trimmed.write(tag, at, "latin1");
    trimmed.writeUInt32BE(checksum, at + 4);
    trimmed.writeUInt32BE(offset, at + 8);
    trimmed.writeUInt32BE(content.length, at + 12);
    content.copy(trimmed, offset);
    offset += padded(content.length);
  });
  return trimmed;
}

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
