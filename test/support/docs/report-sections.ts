export interface ReportSection {
  readonly name: string;
  readonly body: string;
}

export interface ReportLayout {
  /** The report's text before its first section. */
  readonly head: string;
  /** The names of all sections, in the report's order. */
  readonly names: readonly string[];
}

/** A Markdown report with one section replaced; sections whose name is not known any more are dropped. */
export function withReportSection(
  report: string,
  { name, body }: ReportSection,
  { head, names }: ReportLayout,
): string {
  const bodies = new Map<string, string>();
  for (const part of report.split(/^## /m).slice(1)) {
    const [heading = "", ...lines] = part.split("\n");
    bodies.set(heading.trim(), lines.join("\n").trim());
  }
  bodies.set(name, body);
  const sections = names.flatMap((known) => {
    const found = bodies.get(known);
    return found === undefined ? [] : [`\n## ${known}\n\n${found}\n`];
  });
  return head + sections.join("");
}
