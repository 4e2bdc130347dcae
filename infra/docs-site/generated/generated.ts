import { PORT_OUT_REJECT_CODES } from "../../../services/domain/port-out/rules/port-out.ts";
import { benchmarkHistory } from "./benchmark-history.ts";
import { attemptErrorTable, problemTable, rejectionTable } from "./error-tables.ts";
import { eventReference } from "./event-reference.ts";
import { expiryTable, quotaTable, retryTable, sizeTable } from "./limit-tables.ts";
import { codeList } from "./markdown-table.ts";
import { orderKindTables, requirementTable } from "./requirement-tables.ts";

/** What pages take from the code's own tables, by the name that they write: `<!-- generated: retries -->`. */
const GENERATED: Readonly<Record<string, () => string>> = {
  problems: problemTable,
  rejections: rejectionTable,
  "attempt-errors": attemptErrorTable,
  retries: retryTable,
  quotas: quotaTable,
  sizes: sizeTable,
  expiries: expiryTable,
  "order-kinds": orderKindTables,
  requirements: requirementTable,
  "port-out-codes": () => codeList(PORT_OUT_REJECT_CODES),
  events: eventReference,
  benchmarks: benchmarkHistory,
};

/** With what stands in its place for who reads the file itself. */
const MARK = /^<!-- generated: ([a-z-]+) -->(\n\n_Made from the code: .*_)?$/gm;

/** The sentence of a page with this address. */
export const placeholderOf = (url: string): string =>
  `_Made from the code: read it at \`${url}\` of a running API._`;

/** A page's Markdown with each mark replaced. @throws for a mark that names nothing */
export function withGenerated(markdown: string): string {
  return markdown.replaceAll(MARK, (mark, name: string) => {
    const generate = GENERATED[name];
    if (generate === undefined) throw new Error(`Nothing is generated for ${mark}`);
    return generate();
  });
}
