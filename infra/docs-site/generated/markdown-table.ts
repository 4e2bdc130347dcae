type Row = readonly (string | number)[];

/** A table of Markdown; cells may hold markup of a line. */
export function markdownTable(head: readonly string[], rows: readonly Row[]): string {
  const line = (cells: Row): string =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** `` `a`, `b` ``; a dash for none. */
export function codeList(values: readonly string[]): string {
  return values.length === 0 ? "–" : values.map((value) => `\`${value}\``).join(", ");
}
