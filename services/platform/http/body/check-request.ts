import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import type { z } from "zod";
import { AppError, type Fault } from "../../errors.ts";
import type { TableRow } from "../routing/route-table.ts";
import type { LinkState } from "../routing/route.ts";
import { faultText, findBodyFaults, findQueryFaults } from "./find-faults.ts";
import type { SentForm } from "./read-form.ts";

/** Required by RFC 9112, section 3.2. The value is never used. */
export function requireHost(request: IncomingMessage): void {
  if (request.headers.host !== undefined || request.httpVersion !== "1.1") return;
  throw new AppError("invalid_header", "The Host header is missing.", {
    faults: [{ header: "Host", code: "required", detail: "It is required." }],
  });
}

/** @throws `not_acceptable` if Accept excludes the route's media types */
export function requireAcceptable(
  ctx: Context,
  { produces, alternatives = [] }: { produces: string; alternatives?: readonly string[] },
): void {
  const accept = ctx.req.headers.accept;
  if (accept === undefined || accept === "*/*" || accept === produces) return;
  const inUtf8 = `${produces}; charset=utf-8`;
  if (
    produces === "*/*" ||
    ctx.accepts(produces, inUtf8, "application/problem+json", ...alternatives)
  )
    return;
  throw new AppError(
    "not_acceptable",
    `The response is ${produces}, which the Accept header excludes.`,
  );
}

/** @throws `not_found` if the path cannot identify anything */
export function checkParams(
  schema: z.ZodObject,
  params: Readonly<Record<string, string | null>>,
): unknown {
  const checked = schema.safeParse(params);
  if (!checked.success) throw notFound();
  return checked.data;
}

/** @throws `invalid_parameter` with every fault of the query */
export function checkQuery<P>(row: TableRow<P>, search: string): unknown {
  if (search === "" && row.emptyQuery !== undefined) return row.emptyQuery;
  const { input, faults } = readQuery(search, row.repeatable);
  const checked = row.query.safeParse(input, { error: faultText });
  if (checked.success && faults.length === 0) return checked.data;
  const more = checked.success ? [] : findQueryFaults(checked.error, input);
  throw invalid("query", [...faults, ...more]);
}

/** @throws `validation_failed` with every fault of the form */
export function checkForm(schema: z.ZodType, { values, faults }: SentForm): unknown {
  const checked = schema.safeParse(values, { error: faultText });
  if (checked.success && faults.length === 0) return checked.data;
  const more = checked.success ? [] : findBodyFaults(checked.error, values);
  throw invalid("form", [...faults, ...more]);
}

/** The refusal of a part of a request, with all its faults. */
export function invalid(part: "query" | "body" | "form", faults: readonly Fault[]): AppError {
  const code = part === "query" ? "invalid_parameter" : "validation_failed";
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  return new AppError(code, `The ${part} is not valid: ${count}.`, { faults });
}

/** The signed link of a request, which may replace a key. */
export function linkStateOf<P>(
  row: TableRow<P>,
  path: Readonly<Record<string, string | null>>,
  search: string,
): LinkState {
  const { route } = row;
  if (route.opens === undefined) return "foreign";
  const { input, faults } = readQuery(search, row.repeatable);
  const query = row.query.safeParse(input);
  const params = route.params.safeParse(path);
  if (!query.success || !params.success || faults.length > 0) return "foreign";
  return route.opens({ params: params.data, query: query.data });
}

/** Of a path that is none of ours, whatever it may identify. */
export function noSuchPath(): AppError {
  return new AppError("not_found", "There is no such path. /openapi.json lists those of the API.");
}

export function notFound(): AppError {
  return new AppError("not_found", "The resource does not exist, or you do not have access to it.");
}

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const CONTROL = /[\u0000-\u001f\u007f]/;

/** Decodes one percent-encoded part of a URL; null if it is malformed or contains control characters. */
export function decodePart(part: string): string | null {
  if (!part.includes("%")) return CONTROL.test(part) ? null : part;
  try {
    const text = decodeURIComponent(part);
    return CONTROL.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Decodes a name or value of a query, in which a plus sign is a space. */
export function decodeQueryPart(part: string): string | null {
  return decodePart(part.includes("+") ? part.replaceAll("+", " ") : part);
}

interface QueryInput {
  readonly input: Readonly<Record<string, string | string[]>>;
  readonly faults: readonly Fault[];
}

/** Parses a query (without its `?`) for a schema; only parameters in `repeatable` become lists. */
function readQuery(query: string, repeatable: ReadonlySet<string>): QueryInput {
  const values = new Map<string, string | string[]>();
  const faults: Fault[] = [];
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const [name, value] = splitPair(pair);
    if (name === null || value === null) {
      const detail = "It is not valid percent-encoded text.";
      faults.push({ parameter: name ?? "?", code: "invalid_encoding", detail });
      continue;
    }
    const known = values.get(name);
    if (repeatable.has(name)) values.set(name, Array.isArray(known) ? [...known, value] : [value]);
    else if (known === undefined) values.set(name, value);
    else faults.push({ parameter: name, code: "repeated", detail: "It may be given only once." });
  }
  return { input: Object.fromEntries(values), faults };
}

function splitPair(pair: string): [string | null, string | null] {
  const at = pair.indexOf("=");
  if (at < 0) return [decodeQueryPart(pair), ""];
  return [decodeQueryPart(pair.slice(0, at)), decodeQueryPart(pair.slice(at + 1))];
}
