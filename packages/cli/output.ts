import pc from "picocolors";
import type { Host, Out } from "./host.ts";

interface Outputs extends Pick<Host, "env" | "stdout" | "stderr"> {
  readonly progress: Progress;
}

/** Writes what a command found: one JSON value a line, tables for people, or tab-separated lines for a pipe. */
export class Printer {
  readonly isJson: boolean;
  readonly style: Style;
  readonly progress: Progress;
  readonly #stdout: Out;
  readonly #stderr: Out;

  constructor({ env, stdout, stderr, progress }: Outputs, isJson: boolean) {
    const isTerminal = stdout.isTTY === true;
    this.isJson = isJson;
    this.style = { isTerminal, paint: pc.createColors(usesColour(isTerminal, env)) };
    this.progress = progress;
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /** The items of a list. */
  async list<T>(items: readonly T[], columns: readonly Column<T>[]): Promise<void> {
    if (this.isJson) for (const item of items) this.json(item);
    else if (items.length > 0) this.line(await renderRows(items, columns, this.style));
    else this.note("There are none.");
  }

  /** One thing: as JSON, or its fields by name; a field without a value is left out. */
  item(value: unknown, fields: Readonly<Record<string, string | null>>): void {
    if (this.isJson) this.json(value);
    else this.line(renderRecord(fields, this.style));
  }

  json(value: unknown): void {
    this.#write(JSON.stringify(value));
  }

  line(text: string): void {
    this.#write(visible(text));
  }

  /** For the person at the terminal: on standard error, beside what a pipe reads. */
  note(text: string): void {
    this.progress.clear();
    this.#stderr.write(`${visible(text)}\n`);
  }

  #write(line: string): void {
    this.progress.clear();
    this.#stdout.write(`${line}\n`);
  }
}

function usesColour(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  return forced === undefined ? isTerminal : forced !== "0";
}

const CLEAR = "\r\u001b[2K";

/** What long work is doing, on standard error: one line that is replaced, or a line for each change outside a terminal. */
export class Progress {
  readonly #out: Out;
  #shown = "";

  constructor(out: Out) {
    this.#out = out;
  }

  show(text: string): void {
    if (text === this.#shown) return;
    this.#out.write(this.#out.isTTY === true ? `${CLEAR}${text}` : `${text}\n`);
    this.#shown = text;
  }

  /** Before something else is written. */
  clear(): void {
    if (this.#shown !== "" && this.#out.isTTY === true) this.#out.write(CLEAR);
    this.#shown = "";
  }
}

export type Paint = ReturnType<typeof pc.createColors>;

export interface Style {
  /** Tables for people; else tab-separated lines without a head. */
  readonly isTerminal: boolean;
  readonly paint: Paint;
}

export interface Column<T> {
  readonly name: string;
  readonly of: (item: T) => string | number | boolean | null;
  readonly paint?: (text: string, paint: Paint) => string;
}

/** The rows of a list. */
export async function renderRows<T>(
  items: readonly T[],
  columns: readonly Column<T>[],
  { isTerminal, paint }: Style,
): Promise<string> {
  if (!isTerminal) {
    return items.map((item) => columns.map((one) => plain(one.of(item))).join("\t")).join("\n");
  }
  // Loaded where it is needed, so that every other command starts sooner.
  const { default: Table } = await import("cli-table3");
  const table = new Table({
    head: columns.map(({ name }) => paint.bold(name)),
    chars: NO_LINES,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
  });
  for (const item of items) {
    table.push(
      columns.map((column) => {
        const text = plain(column.of(item));
        return column.paint === undefined ? text : column.paint(text, paint);
      }),
    );
  }
  return withoutTrailingSpace(table.toString());
}

/** `name  value` lines. */
export function renderRecord(
  fields: Readonly<Record<string, string | null>>,
  { isTerminal, paint }: Style,
): string {
  const shown = Object.entries(fields).filter(
    (field): field is [string, string] => field[1] !== null,
  );
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown
    .map(([name, value]) =>
      isTerminal ? `${paint.dim(name.padEnd(width))}  ${value}` : `${name}\t${oneLine(value)}`,
    )
    .join("\n");
}

/** A time without its fraction of a second: `2026-03-02 14:00:00Z`. */
export function shortTime(time: string | null | undefined): string {
  return (time ?? "").replace("T", " ").replace(/\.\d+/, "");
}

/** Colours and lines stay; other control characters, which a carrier's or a receiver's text may have, do nothing. */
export function visible(text: string): string {
  return text.replaceAll(CONTROLS, "\u{fffd}");
}

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const CONTROLS = /(?!\u001b\[[\d;]*m|\r\n)[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** By what a status means: done, failed, or still on its way. */
export function paintStatus(status: string, paint: Paint): string {
  if (GOOD.has(status)) return paint.green(status);
  return BAD.has(status) ? paint.red(status) : paint.yellow(status);
}

const GOOD = new Set(["completed", "succeeded", "active", "approved", "ported_out", "true"]);
const BAD = new Set(["rejection", "cancelled", "failed", "rejected", "requirement-info-exception"]);

const NO_LINES = Object.fromEntries(
  [
    ...["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left"],
    ...["bottom-right", "left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"],
  ].map((place) => [place, ""]),
);

function plain(value: string | number | boolean | null): string {
  return value === null ? "" : oneLine(String(value));
}

/** A cell is one line, whatever its text has. */
function oneLine(text: string): string {
  return text.replaceAll(/[\t\r\n]+/g, " ");
}

function withoutTrailingSpace(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}
