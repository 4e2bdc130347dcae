import pc from "picocolors";
import type { Host, Out } from "../host.ts";
import type { Progress } from "./progress.ts";
import { renderRecord, renderRows, visible, type Column, type Style } from "./render.ts";

export interface Outputs extends Pick<Host, "env" | "stdout" | "stderr"> {
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
