import { z } from "zod";

import { AppError } from "../errors.ts";
import { idRange, type IdRange } from "../db/id-range.ts";
import { instant, uuid } from "./body/fields.ts";
import type { Reply } from "./routing/reply.ts";
import { decodeQueryPart } from "./body/check-request.ts";
import type { RouteRequest } from "./routing/route.ts";

export const MAX_LIMIT = 250;
export const DEFAULT_LIMIT = 50;

const limit = z
  .string()
  .regex(/^\d{1,9}$/, "It must be a whole number.")
  .transform(Number)
  .pipe(z.int().min(1).max(MAX_LIMIT))
  .default(DEFAULT_LIMIT)
  .meta({
    type: "integer",
    minimum: 1,
    maximum: MAX_LIMIT,
    description: `Items on a page: 1 to ${MAX_LIMIT}, ${DEFAULT_LIMIT} unless given`,
  });

/** The query parameters of every list: `z.strictObject({ ...pageQuery, status: … })`. */
export const pageQuery = {
  limit,
  starting_after: uuid().optional().describe("The id of the item that the page follows"),
  ending_before: uuid().optional().describe("The id of the item that the page precedes"),
  order: z.enum(["asc", "desc"]).default("desc").describe("Oldest (`asc`) or newest first"),
  created_after: instant().optional().describe("Items created at this time or later"),
  created_before: instant().optional().describe("Items created before this time"),
};

export type PageQuery = Readonly<z.output<z.ZodObject<typeof pageQuery>>>;

/** The parameters of a list's filters: one for each filter that its store has, and no other. */
export type FilterParameters<Filter> = {
  readonly [Name in keyof Required<Filter>]: z.ZodType<Filter[Name]>;
};

/** How a store scans one page: rows beyond the cursor in `direction`, `fetch` of them, in scan order. */
export interface Keyset {
  readonly direction: "asc" | "desc";
  /** How a row's key must compare with the cursor's. */
  readonly comparison: ">" | "<";
  readonly cursorId: string | null;
  /** One more than the page size: the extra row shows whether there are more. */
  readonly fetch: number;
}

type CursorQuery = Pick<PageQuery, "limit" | "order" | "starting_after" | "ending_before">;

/**
 * The scan for a page. `ending_before` scans against the list's order from its cursor, so that it returns
 * the adjacent page; `page` reverses its rows again.
 * @throws `invalid_parameter` if both cursors are given
 */
export function keyset(query: CursorQuery): Keyset {
  const { starting_after: after, ending_before: before } = query;
  if (after !== undefined && before !== undefined) {
    throw invalidCursor("ending_before", "conflict", "It cannot be combined with starting_after.");
  }
  const ascending = (query.order === "asc") === (before === undefined);
  return {
    direction: ascending ? "asc" : "desc",
    comparison: ascending ? ">" : "<",
    cursorId: after ?? before ?? null,
    fetch: query.limit + 1,
  };
}

/** The error for a cursor that is not an object of the caller's. */
export function unknownCursor(query: CursorQuery): AppError {
  const parameter = query.starting_after === undefined ? "ending_before" : "starting_after";
  return invalidCursor(parameter, "unknown_id", "There is no such object in this list.");
}

/**
 * The scan for a page of a list whose store compares with the cursor's row, so that the cursor must exist.
 * @throws `invalid_parameter` if both cursors are given, or if the one given is not found
 */
export async function scanFrom(
  query: CursorQuery,
  find: (cursorId: string) => Promise<unknown>,
): Promise<Keyset> {
  const scan = keyset(query);
  if (scan.cursorId !== null && !(await isFound(find(scan.cursorId)))) throw unknownCursor(query);
  return scan;
}

/** Like `scanFrom`, for a list ordered by id: returns the range of ids to scan. */
export async function rangeFrom(
  query: PageQuery,
  find: (cursorId: string) => Promise<unknown>,
): Promise<IdRange> {
  return idRange(await scanFrom(query, find), query);
}

/** Whether a read finds its row: null, false and `not_found` mean no; any other error is rethrown. */
export async function isFound(read: Promise<unknown>): Promise<boolean> {
  try {
    const found = await read;
    return found !== null && found !== false;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return false;
    throw error;
  }
}

function invalidCursor(parameter: string, code: string, detail: string): AppError {
  return new AppError("invalid_parameter", `${parameter}: ${detail}`, {
    faults: [{ parameter, code, detail }],
  });
}

function ownId(row: object): string {
  return "id" in row ? String(row.id) : "";
}

type PagedRequest = Pick<
  RouteRequest<unknown, unknown, Omit<CursorQuery, "order">, unknown>,
  "query" | "path" | "search" | "publicUrl"
>;

/**
 * Builds `{data, has_more}` from up to `fetch` rows in scan order, returned in the list's order;
 * `has_more` and `Link` refer to the paging direction.
 */
export function page<Row extends object>(
  request: PagedRequest,
  rows: readonly Row[],
  idOf: (row: Row) => string = ownId,
): Reply {
  return pageOf(request, { ...pageRows(rows, request.query), idOf });
}

/** A page of up to `fetch` rows, of which the last one only shows that there are more. */
export function pageRows<Row>(
  rows: readonly Row[],
  { limit }: Pick<CursorQuery, "limit">,
): Pick<PageRows<Row>, "rows" | "hasMore"> {
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** The rows of one page in scan order, which may be fewer than the limit though there are more. */
export interface PageRows<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
  readonly idOf?: (row: Row) => string;
}

/** Like `page`, for a store that decides where the page ends. */
export function pageOf<Row extends object>(
  request: PagedRequest,
  { rows, hasMore, idOf = ownId }: PageRows<Row>,
): Reply {
  const farthest = rows.at(-1);
  const backwards = request.query.ending_before !== undefined;
  const data = backwards ? rows.toReversed() : rows;
  const reply = { status: 200, body: { data, has_more: hasMore } };
  if (!hasMore || farthest === undefined) return reply;
  const cursor = backwards ? "ending_before" : "starting_after";
  return { ...reply, headers: { Link: nextLink(request, `${cursor}=${idOf(farthest)}`) } };
}

/** The same request with another cursor, on the configured public URL, never on the Host header. */
function nextLink({ publicUrl, path, search }: PagedRequest, cursor: string): string {
  const kept = search.split("&").filter((pair) => {
    const [name = ""] = pair.split("=", 1);
    const decoded = decodeQueryPart(name);
    return pair !== "" && decoded !== "starting_after" && decoded !== "ending_before";
  });
  const target = `${publicUrl}${path}?${[...kept, cursor].join("&")}`;
  return `<${target.replace(/[<>"\\]/g, encodeURIComponent)}>; rel="next"`;
}
