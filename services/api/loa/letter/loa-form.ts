import { DateTime } from "luxon";
import { findCountry } from "../../../domain/countries/countries.ts";
import {
  UNNAMED_CARRIER,
  UNNAMED_HOLDER,
  type GainingCarrier,
  type LoaContent,
  type LoaField,
  type LoaSignature,
} from "../../../domain/order/rules/loa-content.ts";
import type { SignatureImage } from "../signature-image.ts";
import { filled, type LetterTexts } from "./letter-texts.ts";
import {
  box,
  COLORS,
  heading,
  heightOf,
  isShown,
  makeRoom,
  sizeToFit,
  write,
  type Sheet,
} from "./loa-page.ts";

type Stated = Pick<LoaContent, "country_code" | "number_type" | "customer">;

/**
 * The signer's declarations, one paragraph each. A letter has no other purpose and offers no inducements
 * (47 CFR 64.1130 (b) to (e)).
 */
export function loaStatements(
  { name, respOrgId }: GainingCarrier,
  { country_code: country, number_type: type, customer }: Stated,
  { statements }: Pick<LetterTexts, "statements">,
): string[] {
  const hasAddress = customer.some(({ slug }) => slug === "service_address");
  const hasRespOrg = type === "toll_free" && findCountry(country)?.numbering.hasRespOrgs === true;
  const respOrg = respOrgId === null ? name : `${name} (RespOrg ID ${respOrgId})`;
  return [
    hasAddress ? statements.holder_with_address : statements.holder,
    statements.decision,
    statements.agent,
    ...(hasRespOrg ? [filled(statements.resporg, { carrier: respOrg })] : []),
    statements.one_provider,
    statements.fees,
    statements.remaining,
  ].map((statement) => filled(statement, { carrier: name }));
}

/** A line of the form in the letter's words. */
export function inWords(words: LetterTexts, field: LoaField): LoaField {
  const { slug, value, is_masked: isMasked = false } = field;
  const name = words.fields[slug] ?? field.label;
  const label = isMasked ? filled(words.last_characters, { name }) : name;
  if (value === UNNAMED_HOLDER) return { slug, label, value: words.unnamed_holder };
  if (value === UNNAMED_CARRIER) return { slug, label, value: words.unnamed_carrier };
  return { slug, label, value: words.choices[slug]?.[value ?? ""] ?? value };
}

/** The billing address, which a letter has to state (47 CFR 64.1130 (e) (1)), where the order has none of its own. */
export function billingAddressOf(
  words: LetterTexts,
  { customer }: Pick<LoaContent, "customer">,
): LoaField[] {
  const has = (wanted: string): boolean => customer.some(({ slug }) => slug === wanted);
  if (has("billing_address")) return [];
  const value = has("service_address") ? words.billing_as_service : words.billing_on_record;
  return [{ slug: "billing_address", label: words.billing_address, value }];
}

const LABEL_SIZE = 6.5;
const VALUE_SIZE = 9.5;
const PADDING = 6;
const LABEL_SPACE = 11;
const GAP_AFTER = 9;
/** Slugs of long fields, which take the whole width. */
const WIDE: ReadonlySet<string> = new Set(["service_address", "billing_address"]);

/** Up to this many numbers are printed in the form itself; more are listed in a schedule after it. */
export const INLINE_NUMBERS = 24;
const INLINE_COLUMNS = 4;
const INLINE_ROW = 14;

/** Draws a section of the form: labelled boxes, two per row. */
export function drawFields(sheet: Sheet, title: string, fields: readonly LoaField[]): void {
  const rows = rowsOf(fields);
  const [first = []] = rows;
  heading(sheet, title, rowHeight(sheet, first));
  for (const row of rows) {
    const height = rowHeight(sheet, row);
    makeRoom(sheet, height);
    const width = sheet.width / row.length;
    for (const [n, field] of row.entries()) drawField(sheet, field, { n, width, height });
    sheet.y += height;
  }
  sheet.y += GAP_AFTER;
}

function rowsOf(fields: readonly LoaField[]): LoaField[][] {
  const rows: LoaField[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    const fits = last?.length === 1 && !last.some((one) => WIDE.has(one.slug));
    if (fits && !WIDE.has(field.slug)) last.push(field);
    else rows.push([field]);
  }
  return rows;
}

/** The value, or in a preview what there is to do about it; a letter is not signed without each value. */
function textOf({ words }: Sheet, { value }: LoaField) {
  if (value === null) return { text: words.not_provided, isMissing: true };
  if (!isShown(value)) return { text: words.not_shown, isMissing: true };
  return { text: value.replaceAll("\n", ", "), isMissing: false };
}

function rowHeight(sheet: Sheet, row: readonly LoaField[]): number {
  const width = sheet.width / Math.max(1, row.length) - 2 * PADDING;
  const heights = row.map((field) =>
    heightOf(sheet, textOf(sheet, field).text, { width, size: VALUE_SIZE }),
  );
  return Math.max(VALUE_SIZE, ...heights) + LABEL_SPACE + 2 * PADDING - 3;
}

function drawField(
  sheet: Sheet,
  field: LoaField,
  { n, width, height }: { readonly n: number; readonly width: number; readonly height: number },
): void {
  const { y } = sheet;
  const left = sheet.left + n * width;
  const place = { x: left + PADDING, width: width - 2 * PADDING };
  box(sheet, { x: left, y, width, height });
  write(sheet, field.label, {
    ...place,
    y: y + PADDING - 2,
    size: LABEL_SIZE,
    color: COLORS.label,
  });
  const { text, isMissing } = textOf(sheet, field);
  write(sheet, text, {
    ...place,
    y: y + PADDING - 2 + LABEL_SPACE,
    size: VALUE_SIZE,
    font: isMissing ? "oblique" : "regular",
    color: isMissing ? COLORS.missing : COLORS.ink,
  });
}

/** Draws the numbers, or a reference to the schedule that lists them. */
export function drawNumbers(sheet: Sheet, { phone_numbers: numbers }: LoaContent): void {
  const count = numbers.length;
  const title = `3   ${filled(sheet.words.numbers, { count })}`;
  const isInline = numbers.length <= INLINE_NUMBERS;
  const rows = isInline ? Math.ceil(numbers.length / INLINE_COLUMNS) : 1;
  const height = rows * INLINE_ROW + 2 * PADDING;
  heading(sheet, title, height);
  box(sheet, { x: sheet.left, y: sheet.y, width: sheet.width, height });
  const place = { y: sheet.y + PADDING + 1, size: VALUE_SIZE };
  if (isInline) {
    const width = sheet.width / INLINE_COLUMNS;
    for (const [n, number] of numbers.entries()) {
      write(sheet, number, {
        x: sheet.left + PADDING + (n % INLINE_COLUMNS) * width,
        y: place.y + Math.floor(n / INLINE_COLUMNS) * INLINE_ROW,
        width: width - PADDING,
        size: VALUE_SIZE,
      });
    }
  } else {
    const text = filled(sheet.words.in_schedule, { count });
    write(sheet, text, { ...place, x: sheet.left + PADDING, width: sheet.width - 2 * PADDING });
  }
  sheet.y += height + GAP_AFTER;
}

const SCHEDULE_COLUMNS = 5;
const SCHEDULE_ROW = 13;
const SCHEDULE_HEAD = 16;
const INDEX_WIDTH = 26;

/** Draws all numbers on separate pages, column by column, with the heading repeated on each page. */
export function drawSchedule(sheet: Sheet, { phone_numbers: numbers }: LoaContent): void {
  const { words } = sheet;
  let next = 0;
  while (next < numbers.length) {
    makeRoom(sheet, sheet.bottom);
    heading(sheet, next === 0 ? words.schedule : `${words.schedule} ${words.continued}`, 0);
    const rows = Math.floor((sheet.bottom - sheet.y - SCHEDULE_HEAD) / SCHEDULE_ROW);
    const page = numbers.slice(next, next + rows * SCHEDULE_COLUMNS);
    drawSchedulePage(sheet, page, { first: next, rows });
    next += page.length;
  }
}

function drawSchedulePage(
  sheet: Sheet,
  numbers: readonly string[],
  { first, rows }: { readonly first: number; readonly rows: number },
): void {
  const width = sheet.width / SCHEDULE_COLUMNS;
  const columns = Math.ceil(numbers.length / rows);
  for (let column = 0; column < columns; column += 1) {
    const x = sheet.left + column * width;
    const head = { y: sheet.y + 5, size: LABEL_SIZE, color: COLORS.label };
    write(sheet, sheet.words.index, { ...head, x, width: INDEX_WIDTH - 6, align: "right" });
    write(sheet, sheet.words.number, { ...head, x: x + INDEX_WIDTH, width: width - INDEX_WIDTH });
  }
  const top = sheet.y + SCHEDULE_HEAD;
  for (const [n, number] of numbers.entries()) {
    const x = sheet.left + Math.floor(n / rows) * width;
    const y = top + (n % rows) * SCHEDULE_ROW;
    write(sheet, String(first + n + 1), {
      x,
      y: y + 1.5,
      width: INDEX_WIDTH - 6,
      size: 7,
      color: COLORS.label,
      align: "right",
    });
    write(sheet, number, { x: x + INDEX_WIDTH, y, width: width - INDEX_WIDTH, size: 9 });
  }
  sheet.y = top + Math.min(rows, numbers.length) * SCHEDULE_ROW;
}

const SIZE = 8;
const LINE_GAP = 0.8;
const INDENT = 14;
const BETWEEN = 3.2;

const SIGNATURE_HEIGHT = 62;
const ROW_HEIGHT = 30;
const NOTE_SPACE = 24;
const LARGEST_NAME = 18;

/** Draws the declarations, one numbered paragraph each. */
export function drawStatements(sheet: Sheet, statements: readonly string[]): void {
  const { authorization, declaration } = sheet.words;
  heading(sheet, `4   ${authorization}`, 40);
  sheet.y += PADDING;
  const left = sheet.left + PADDING;
  const style = { width: sheet.width - 2 * PADDING - INDENT, size: SIZE, lineGap: LINE_GAP };
  write(sheet, declaration, { ...style, x: left, y: sheet.y, font: "bold" });
  sheet.y += heightOf(sheet, declaration, { ...style, font: "bold" }) + BETWEEN;
  for (const [n, statement] of statements.entries()) {
    const height = heightOf(sheet, statement, style);
    makeRoom(sheet, height);
    write(sheet, `${n + 1}.`, { ...style, x: left, y: sheet.y, width: INDENT });
    write(sheet, statement, { ...style, x: left + INDENT, y: sheet.y });
    sheet.y += height + BETWEEN;
  }
  sheet.y += GAP_AFTER - BETWEEN;
}

/** `21 November 2026, 07:22:10 UTC`. */
export function writtenInstant({ words, language }: Sheet, at: Date): string {
  const instant = DateTime.fromJSDate(at, { zone: "utc" }).setLocale(language);
  return instant.toFormat(words.date_format);
}

export interface DrawnSignature extends LoaSignature {
  readonly image: SignatureImage | null;
}

/** What a letter that nobody has signed here is for. */
export type Unsigned = "preview" | "by_hand";

interface SignatureToDraw {
  readonly signature: DrawnSignature | Unsigned;
  readonly hasStamp: boolean;
}

/** Draws the signature boxes, all on one page; they are empty where nobody has signed here. */
export function drawSignature(sheet: Sheet, { signature, hasStamp }: SignatureToDraw): void {
  const { words } = sheet;
  heading(sheet, `5   ${words.signature}`, SIGNATURE_HEIGHT + ROW_HEIGHT + NOTE_SPACE);
  const signed = typeof signature === "string" ? null : signature;
  const date = signed === null ? "" : writtenInstant(sheet, signed.signed_at).replace(", ", "\n");
  const empty = (label: string): Labelled[] => (hasStamp ? [[label, ""]] : []);
  const upper: Labelled[] = [
    [words.signature_label, ""],
    ...empty(words.stamp),
    [words.date, date],
  ];
  const lower: Labelled[] = [
    [words.name, signed?.signer_name ?? ""],
    [words.position, signed?.signer_title ?? ""],
    ...empty(words.place),
  ];
  const widths = (hasStamp ? STAMPED : PLAIN).map((part) => sheet.width * part);
  const [wide = 0] = widths;
  if (signed !== null) drawSigner(sheet, signed, wide);
  else if (signature === "preview") {
    const style = { x: sheet.left + 30, y: sheet.y + 36, width: wide, size: 9 };
    write(sheet, words.not_signed, { ...style, color: COLORS.missing, font: "oblique" });
  }
  drawRow(sheet, { cells: upper, widths, height: SIGNATURE_HEIGHT });
  drawRow(sheet, { cells: lower, widths, height: ROW_HEIGHT });
  sheet.y += PADDING;
  const { left: x, y, width } = sheet;
  write(sheet, noteOf(sheet, signature), { x, y, width, size: 7, color: COLORS.label });
  sheet.y += NOTE_SPACE - PADDING;
}

type Labelled = readonly [label: string, value: string];

interface SignatureRow {
  readonly cells: readonly Labelled[];
  readonly widths: readonly number[];
  readonly height: number;
}

/** How wide the columns of the signature are; a stamp has its place beside it. */
const PLAIN = [0.62, 0.38];
const STAMPED = [0.4, 0.32, 0.28];

function drawRow(sheet: Sheet, { cells, widths, height }: SignatureRow): void {
  let x = sheet.left;
  for (const [n, texts] of cells.entries()) {
    const width = widths[n] ?? 0;
    drawCell(sheet, { x, y: sheet.y, width, height, texts });
    x += width;
  }
  sheet.y += height;
}

function noteOf(sheet: Sheet, signature: DrawnSignature | Unsigned): string {
  if (typeof signature === "string") return sheet.words[signature];
  const { signer_name: name, signed_at: at } = signature;
  return filled(sheet.words.signed, { name, at: writtenInstant(sheet, at) });
}

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly texts: Labelled;
}

function drawCell(sheet: Sheet, { texts: [label, value], ...area }: Cell): void {
  box(sheet, area);
  const width = area.width - 2 * PADDING;
  const x = area.x + PADDING;
  write(sheet, label, { x, y: area.y + 4, width, size: 6.5, color: COLORS.label });
  if (value === "") return;
  const size = sizeToFit(sheet, value, { width, height: area.height - 16, largest: 9.5 });
  write(sheet, value, { x, y: area.y + 14, width, size });
}

/** Draws the signature image, or the name in its place. */
function drawSigner(
  sheet: Sheet,
  { image, signer_name: name }: DrawnSignature,
  width: number,
): void {
  const x = sheet.left + 30;
  const y = sheet.y + 12;
  const area = { width: width - 60, height: SIGNATURE_HEIGHT - 18 };
  if (image !== null) {
    sheet.doc.image(image.png, x, y, { fit: [area.width, area.height], valign: "center" });
    return;
  }
  const size = sizeToFit(sheet, name, { ...area, largest: LARGEST_NAME, font: "oblique" });
  const height = heightOf(sheet, name, { width: area.width, size, font: "oblique" });
  const top = y + (area.height - height) / 2;
  write(sheet, name, { x, y: top, width: area.width, size, font: "oblique", color: COLORS.accent });
}
