import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkit";
import type PDFDocument from "pdfkit";
import type { LetterLanguage } from "../../../domain/terms/rules/letter-terms.ts";
import { LETTER_TEXTS, type LetterTexts } from "./letter-texts.ts";

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
type LoaFont = "regular" | "bold" | "oblique";

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
function isDrawable(line: string): boolean {
  const fonts = Object.values(loaFonts());
  return Array.from(line).every((character) => {
    const point = character.codePointAt(0) ?? 0;
    return DRAWABLE.test(character) && fonts.every((font) => font.hasGlyphForCodePoint(point));
  });
}

/** The page being filled; `y` is where the next section begins. */
export interface Sheet {
  readonly doc: PDFKit.PDFDocument;
  readonly words: LetterTexts;
  readonly language: LetterLanguage;
  readonly left: number;
  readonly width: number;
  /** The lowest point that a section may reach. */
  readonly bottom: number;
  /** What was written on each page, in its sequence. */
  readonly texts: Map<PDFKit.PDFPage, string[]>;
  y: number;
}

export const COLORS = {
  ink: "#1a2230",
  label: "#5a6575",
  rule: "#b8c0cc",
  band: "#e6ebf2",
  accent: "#1f3a68",
  missing: "#a33a2a",
} as const;

const MARGIN = 48;
/** From the bottom edge of a page to the rule above its footer; the text ends a little above the rule. */
export const FOOTER_HEIGHT = 58;
const FOOTER_SPACE = 10;
const TOP_OF_NEXT_PAGE = 52;

interface TextStyle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly font?: LoaFont;
  readonly color?: string;
  readonly align?: "left" | "right" | "center";
  readonly lineGap?: number;
  /** Truncates the text at the end of its line. */
  readonly cut?: boolean;
}

/** Control characters, unpaired surrogates and marks that change the text direction; line feeds are allowed. */
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Text as it is drawn: no character in it can move other text or hide. */
export function printable(text: string): string {
  return text.normalize("NFC").replaceAll(UNPRINTABLE, " ");
}

/** True if the letter shows every character of a value; its lines are joined. */
export function isShown(value: string): boolean {
  return isDrawable(printable(value).replaceAll("\n", " "));
}

export function newSheet(doc: InstanceType<typeof PDFDocument>, language: LetterLanguage): Sheet {
  const { width, height } = doc.page;
  return {
    doc,
    words: LETTER_TEXTS[language],
    language,
    left: MARGIN,
    width: width - 2 * MARGIN,
    bottom: height - FOOTER_HEIGHT - FOOTER_SPACE,
    texts: new Map(),
    y: MARGIN,
  };
}

/** Starts a new page if less than `height` is left on this one; true if it did. */
export function makeRoom(sheet: Sheet, height: number): boolean {
  if (sheet.y + height <= sheet.bottom) return false;
  sheet.doc.addPage();
  sheet.y = TOP_OF_NEXT_PAGE;
  return true;
}

/** The texts of the present page. */
function textsOf({ doc, texts }: Sheet): string[] {
  const known = texts.get(doc.page) ?? [];
  texts.set(doc.page, known);
  return known;
}

export function write(sheet: Sheet, text: string, style: TextStyle): void {
  const { doc } = sheet;
  const { x, y, width, size, font = "regular", color = COLORS.ink } = style;
  const { align = "left", lineGap = 0, cut = false } = style;
  const shown = printable(text);
  // What is cut may show less than it says.
  if (!cut) textsOf(sheet).push(shown);
  doc.font(font).fontSize(size).fillColor(color);
  doc.text(shown, x, y, {
    width,
    align,
    lineGap,
    ...(cut ? { height: size, ellipsis: true } : {}),
  });
}

/** The height of a text when drawn. */
export function heightOf(
  { doc }: Sheet,
  text: string,
  { width, size, font = "regular", lineGap = 0 }: Omit<TextStyle, "x" | "y">,
): number {
  doc.font(font).fontSize(size);
  return doc.heightOfString(printable(text), { width, lineGap });
}

const SMALLEST_SIZE = 4;

/** The largest font size at which a text fits an area. */
export function sizeToFit(
  sheet: Sheet,
  text: string,
  area: {
    readonly width: number;
    readonly height: number;
    readonly largest: number;
    readonly font?: LoaFont;
  },
): number {
  const { width, height, largest, font } = area;
  const style = font === undefined ? { width } : { width, font };
  let size = largest;
  while (size > SMALLEST_SIZE && heightOf(sheet, text, { ...style, size }) > height) size -= 0.5;
  return size;
}

export function rule({ doc, left, width }: Sheet, y: number, color: string = COLORS.rule): void {
  doc.lineWidth(0.75).strokeColor(color);
  doc
    .moveTo(left, y)
    .lineTo(left + width, y)
    .stroke();
}

export function box(
  { doc }: Sheet,
  area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
): void {
  doc
    .lineWidth(0.5)
    .strokeColor(COLORS.rule)
    .rect(area.x, area.y, area.width, area.height)
    .stroke();
}

const BAND_HEIGHT = 17;

/** Draws the band above a section and keeps it on one page with the section's first `following` points. */
export function heading(sheet: Sheet, title: string, following: number): void {
  makeRoom(sheet, BAND_HEIGHT + following);
  const { doc, left, width, y } = sheet;
  doc.rect(left, y, width, BAND_HEIGHT).fill(COLORS.band);
  doc.rect(left, y, 3, BAND_HEIGHT).fill(COLORS.accent);
  write(sheet, title, {
    x: left + 10,
    y: y + 4,
    width: width - 20,
    size: 8.5,
    font: "bold",
    color: COLORS.accent,
  });
  sheet.y = y + BAND_HEIGHT;
}
