/** A spreadsheet takes a cell that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** In E.164; programs join on it, and as a formula it would be nothing but itself. */
const PHONE_NUMBER = /^\+\d{7,15}$/;
const LINE_END = "\r\n";

/**
 * Rows as CSV (RFC 4180), with a line of column names. Objects are JSON, null is an empty cell, and text that a
 * spreadsheet would run as a formula begins with an apostrophe.
 */
export function csvOf<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  const lines = [
    columns.map(quoted),
    ...rows.map((row) => columns.map((name) => csvCell(row[name]))),
  ];
  return lines.map((cells) => cells.join(",") + LINE_END).join("");
}

/** One cell (RFC 4180). Text that a spreadsheet would run as a formula begins with an apostrophe. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return quoted(FORMULA.test(text) && !PHONE_NUMBER.test(text) ? `'${text}` : text);
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
