import { Readable } from "node:stream";
import { z } from "zod";
import { csvCell } from "../../platform/http/csv.ts";
import { MAX_LIMIT, type PageRows } from "../../platform/http/paging.ts";
import { unwrap } from "../../platform/http/routing/route.ts";
import { viewer, type DeskRoute, type OperatorRequest } from "../access/desk-routes.ts";

/** What is not in the file any more is found by narrower filters. */
const MOST_ROWS = 50_000;
const MOST_TEXT = MOST_ROWS.toLocaleString("en");
const CUT = `The export ends here, after ${MOST_TEXT} rows: narrow the filters for the others.`;
const CSV_END = "\r\n";

/** How a file is written. */
interface FileFormat {
  readonly type: string;
  readonly head: string;
  readonly line: (row: object) => string;
  /** Its last line where there are more rows than one file takes. */
  readonly cut: string;
}

/** The columns of a CSV are the list's fields; of an object in one, such as an account, each part. */
export const FORMATS = {
  csv: (answer) => {
    const columns = columnsOf(answer);
    return {
      type: "text/csv; charset=utf-8; header=present",
      head: columns.map((path) => path.join(".")).join(",") + CSV_END,
      line: (row) => columns.map((path) => csvCell(valueAt(row, path))).join(",") + CSV_END,
      cut: csvCell(CUT) + CSV_END,
    };
  },
  ndjson: () => ({
    type: "application/x-ndjson; charset=utf-8",
    head: "",
    line: (row) => `${JSON.stringify(row)}\n`,
    cut: `${JSON.stringify({ notice: CUT })}\n`,
  }),
} as const satisfies Readonly<Record<string, (answer: z.ZodObject) => FileFormat>>;

type Format = keyof typeof FORMATS;

const format = z
  .enum(["csv", "ndjson"] satisfies readonly Format[])
  .default("csv")
  .describe("CSV with a line of names, or a JSON object per line");

type ColumnPath = readonly string[];

function columnsOf(answer: z.ZodObject): ColumnPath[] {
  const fields: Readonly<Record<string, z.core.$ZodType>> = answer.shape;
  return Object.entries(fields).flatMap(([name, field]) => {
    const parts = Object.keys(objectIn(field)?.shape ?? {});
    return parts.length === 0 ? [[name]] : parts.map((part) => [name, part]);
  });
}

function objectIn(field: z.core.$ZodType): z.ZodObject | null {
  if (field instanceof z.ZodObject) return field;
  const inner = unwrap(field);
  return inner === null ? null : objectIn(inner);
}

function valueAt(row: object, path: ColumnPath): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === "object" && value !== null
        ? (value as Readonly<Record<string, unknown>>)[name]
        : null,
    row,
  );
}

/** Of one page alone. */
const PAGE_ONLY: ReadonlySet<string> = new Set([
  "limit",
  "starting_after",
  "ending_before",
  "total",
]);

type ListRequest = Pick<OperatorRequest, "db" | "principal">;

export interface Exported<Query extends z.ZodObject> {
  /** What is listed, as the file is named: `orders`. */
  readonly name: string;
  readonly answer: z.ZodObject;
  /** The list's own. */
  readonly query: Query;
  /** A page of the list as its route answers it, so that nobody sees more in a file than in the list. */
  readonly read: (request: ListRequest, query: z.output<Query>) => Promise<PageRows<object>>;
}

/** A list as a file: every row that its filters find, in its order, page by page as the reader takes them. */
export function exportRoute<Query extends z.ZodObject>(
  path: string,
  { name, answer, query, read }: Exported<Query>,
): DeskRoute {
  const own = Object.entries(query.shape).filter(([field]) => !PAGE_ONLY.has(field));
  return viewer.GET(`${path}/export`, `Export the ${name.replaceAll("-", " ")}`, {
    description: `The list with its filters and its order as a file of ${MOST_TEXT} rows at most; its last line says where there are more. \
What a spreadsheet would run as a formula begins with an apostrophe.`,
    answers: { 200: { mediaTypes: ["text/csv", "application/x-ndjson"] } },
    query: z.strictObject({ ...Object.fromEntries(own), format }),
    handle: async (request) => {
      const { format: chosen, ...filters } = request.query;
      const pages = pagesOf((paging) =>
        read(request, { ...filters, ...paging } as z.output<Query>),
      );
      // What is refused is refused before the file begins.
      const first = await pages.next();
      const file = FORMATS[chosen](answer);
      const content = Readable.from(textOf(first, pages, file), { objectMode: false });
      const disposition = `attachment; filename="${name}.${chosen}"`;
      return {
        status: 200,
        headers: { "Content-Disposition": disposition },
        raw: { type: file.type, content },
      };
    },
  });
}

interface Paging {
  readonly limit: number;
  readonly starting_after: string | undefined;
}

type Pages = AsyncGenerator<readonly object[], boolean>;

/** The pages of a list up to the most rows; what it returns is whether there are more. */
export async function* pagesOf(
  read: (paging: Paging) => Promise<PageRows<object>>,
  most = MOST_ROWS,
): Pages {
  let left = most;
  let after: string | undefined;
  for (;;) {
    const limit = Math.min(left, MAX_LIMIT);
    const { rows, hasMore, idOf } = await read({ limit, starting_after: after });
    yield rows;
    left -= rows.length;
    const last = rows.at(-1);
    if (!hasMore || last === undefined || left <= 0) return hasMore;
    // As it stands in a link.
    after = decodeURIComponent(idOf?.(last) ?? String((last as { readonly id: unknown }).id));
  }
}

/** The text of a file, of which the first page has been read. */
export async function* textOf(
  first: IteratorResult<readonly object[], boolean>,
  pages: Pages,
  { head, line, cut }: FileFormat,
): AsyncGenerator<string> {
  if (head !== "") yield head;
  let page = first;
  for (; page.done !== true; page = await pages.next()) {
    if (page.value.length > 0) yield page.value.map(line).join("");
  }
  if (page.value) yield cut;
}
