import { DateTime } from "luxon";
import { findCountry } from "../../../domain/countries/countries.ts";
import type {
  GainingCarrier,
  LoaContent,
  LoaField,
  LoaSignature,
} from "../../../domain/order/rules/loa-content.ts";
import type { SignatureImage } from "../signature-image.ts";
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

/** The sentence above the numbered statements. */
const DECLARATION = "By signing this letter I declare and authorize as follows:";

type Stated = Pick<LoaContent, "country_code" | "number_type" | "customer">;

/**
 * The signer's declarations, one paragraph each. A letter has no other purpose and offers no inducements
 * (47 CFR 64.1130 (b) to (e)).
 */
export function loaStatements(
  { name, respOrgId }: GainingCarrier,
  { country_code: country, number_type: type, customer }: Stated,
): string[] {
  const address = customer.some(({ slug }) => slug === "service_address") ? ", the address " : " ";
  const respOrg = respOrgId === null ? "" : ` (RespOrg ID ${respOrgId})`;
  return [
    `I am the account holder named in this letter, or I am authorized to act for the account holder, and I may change the provider of every telephone number that it lists. The names${address}and the numbers are stated as the current provider has them on record.`,
    `It is my decision that ${name} becomes the provider of these telephone numbers in place of the current provider.`,
    `I appoint ${name} as my agent to carry out this change. It may ask the current provider for the customer service record of these numbers and give the current provider what it needs for the transfer, including the account number and any PIN or transfer code.`,
    ...(type === "toll_free" && findCountry(country)?.numbering.hasRespOrgs === true
      ? [
          `I authorize ${name}${respOrg} to become the Responsible Organization of the toll-free numbers listed in this letter.`,
        ]
      : []),
    `I understand that a telephone number can have only one preferred provider for each telecommunications service. I choose ${name} for every number listed in this letter and for all of the services that are moved with it.`,
    `I understand that the current provider may charge a fee for this change, and that I may ask ${name} about such fees before I sign.`,
    "I understand that services that stay with the current provider, and what I owe to it under its contracts, are not ended by this letter, and that the numbers should not be cancelled there before the transfer is complete.",
  ];
}

const LABEL_SIZE = 6.5;
const VALUE_SIZE = 9.5;
const PADDING = 6;
const LABEL_SPACE = 11;
const GAP_AFTER = 9;
/** Slugs of long fields, which take the whole width. */
const WIDE: ReadonlySet<string> = new Set(["service_address"]);
const NOT_PROVIDED = "not provided yet";
const NOT_SHOWN = "cannot be shown here: upload your own letter";

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
function textOf({ value }: LoaField): { readonly text: string; readonly isMissing: boolean } {
  if (value === null) return { text: NOT_PROVIDED, isMissing: true };
  if (!isShown(value)) return { text: NOT_SHOWN, isMissing: true };
  return { text: value.replaceAll("\n", ", "), isMissing: false };
}

function rowHeight(sheet: Sheet, row: readonly LoaField[]): number {
  const width = sheet.width / Math.max(1, row.length) - 2 * PADDING;
  const heights = row.map((field) =>
    heightOf(sheet, textOf(field).text, { width, size: VALUE_SIZE }),
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
  const { text, isMissing } = textOf(field);
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
  const title = `3   TELEPHONE NUMBERS TO TRANSFER (${numbers.length})`;
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
    const text = `All ${numbers.length} numbers are listed in Schedule A, which is part of this letter.`;
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
  let next = 0;
  while (next < numbers.length) {
    makeRoom(sheet, sheet.bottom);
    heading(sheet, `SCHEDULE A   TELEPHONE NUMBERS${next === 0 ? "" : " (continued)"}`, 0);
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
    write(sheet, "No.", { ...head, x, width: INDEX_WIDTH - 6, align: "right" });
    write(sheet, "Number", { ...head, x: x + INDEX_WIDTH, width: width - INDEX_WIDTH });
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
  heading(sheet, "4   AUTHORIZATION", 40);
  sheet.y += PADDING;
  const left = sheet.left + PADDING;
  const style = { width: sheet.width - 2 * PADDING - INDENT, size: SIZE, lineGap: LINE_GAP };
  write(sheet, DECLARATION, { ...style, x: left, y: sheet.y, font: "bold" });
  sheet.y += heightOf(sheet, DECLARATION, { ...style, font: "bold" }) + BETWEEN;
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
export function writtenInstant(at: Date): string {
  const instant = DateTime.fromJSDate(at, { zone: "utc" }).setLocale("en");
  return instant.toFormat("d LLLL yyyy, HH:mm:ss 'UTC'");
}

export interface DrawnSignature extends LoaSignature {
  readonly image: SignatureImage | null;
}

/** Draws the signature boxes, all on one page; they are empty in a preview. */
export function drawSignature(sheet: Sheet, signature: DrawnSignature | null): void {
  heading(sheet, "5   SIGNATURE", SIGNATURE_HEIGHT + ROW_HEIGHT + NOTE_SPACE);
  const wide = sheet.width * 0.62;
  const narrow = sheet.width - wide;
  const upper = { y: sheet.y, height: SIGNATURE_HEIGHT };
  const lower = { y: sheet.y + SIGNATURE_HEIGHT, height: ROW_HEIGHT };
  const right = { x: sheet.left + wide, width: narrow };
  const left = { x: sheet.left, width: wide };
  drawCell(sheet, { ...left, ...upper, label: "Signature", value: "" });
  drawCell(sheet, {
    ...right,
    ...upper,
    label: "Date",
    value: signature === null ? "" : writtenInstant(signature.signed_at).replace(", ", "\n"),
  });
  drawCell(sheet, {
    ...left,
    ...lower,
    label: "Name in print",
    value: signature?.signer_name ?? "",
  });
  drawCell(sheet, { ...right, ...lower, label: "Title", value: signature?.signer_title ?? "" });
  if (signature === null) {
    const style = {
      x: sheet.left + 30,
      y: sheet.y + 36,
      width: wide,
      size: 9,
      color: COLORS.missing,
    };
    write(sheet, "not signed", { ...style, font: "oblique" });
  } else drawSigner(sheet, signature, wide);
  sheet.y += SIGNATURE_HEIGHT + ROW_HEIGHT + PADDING;
  write(sheet, noteOf(signature), {
    x: sheet.left,
    y: sheet.y,
    width: sheet.width,
    size: 7,
    color: COLORS.label,
  });
  sheet.y += NOTE_SPACE - PADDING;
}

function noteOf(signature: DrawnSignature | null): string {
  if (signature === null) {
    return "This is a preview of the letter, filled from the order as it is now. It authorizes nothing until it is signed.";
  }
  const { signer_name: name, signed_at: at } = signature;
  return `Signed electronically: ${name} agreed to sign this letter by electronic means, and did so, on ${writtenInstant(at)}.`;
}

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly label: string;
  readonly value: string;
}

function drawCell(sheet: Sheet, { label, value, ...area }: Cell): void {
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
