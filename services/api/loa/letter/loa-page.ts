import type PDFDocument from "pdfkit";
import { isDrawable, type LoaFont } from "./loa-fonts.ts";

/** The page being filled; `y` is where the next section begins. */
export interface Sheet {
  readonly doc: PDFKit.PDFDocument;
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

export const MARGIN = 48;
/** From the bottom edge of a page to the rule above its footer; the text ends a little above the rule. */
export const FOOTER_HEIGHT = 58;
const FOOTER_SPACE = 10;
const TOP_OF_NEXT_PAGE = 52;

export interface TextStyle {
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

export function newSheet(doc: InstanceType<typeof PDFDocument>): Sheet {
  const { width, height } = doc.page;
  return {
    doc,
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
