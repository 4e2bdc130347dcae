import type { IncomingMessage } from "node:http";
import type { Context } from "koa";
import type { z } from "zod";

import { AppError, type Fault } from "../../errors.ts";
import { faultText } from "./fault-text.ts";
import { findBodyFaults, findQueryFaults } from "./find-faults.ts";
import type { SentForm } from "./form-parser.ts";
import { readQuery } from "./read-query.ts";
import type { LinkState } from "../routing/route.ts";
import type { TableRow } from "../routing/route-table.ts";

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
