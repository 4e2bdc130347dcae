import type { LoaContent, LoaField } from "../../../domain/order/rules/loa-content.ts";
import {
  box,
  COLORS,
  heading,
  heightOf,
  isShown,
  makeRoom,
  write,
  type Sheet,
} from "./loa-page.ts";

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
