import { z } from "zod";

import { AppError } from "../../errors.ts";
import { decodePart } from "../body/read-query.ts";
import { unwrap } from "../body/require-strict.ts";
import { PathTree } from "./path-tree.ts";
import type { Method, Route } from "./route.ts";

const NO_FIELDS = z.strictObject({});
const WITH_BODY: ReadonlySet<Method> = new Set<Method>(["POST", "PUT", "PATCH"]);

/** A route with everything that can be computed once. */
export interface TableRow<P> {
  readonly route: Route<P>;
  readonly query: z.ZodObject;
  /** Query parameters that may be repeated. */
  readonly repeatable: ReadonlySet<string>;
  /** What an absent query parses to; undefined if a parameter is required. */
  readonly emptyQuery: unknown;
  /** Null if no body is read. */
  readonly body: z.ZodType | null;
}

/** `params` as in the path; null for one that is not valid text. */
export interface RouteMatch<P> {
  readonly kind: "route";
  readonly row: TableRow<P>;
  readonly params: Readonly<Record<string, string | null>>;
}

export type Match<P> =
  | RouteMatch<P>
  /** `isPublic`: another method of the path needs no key, so that the path is no secret. */
  | { readonly kind: "other_method"; readonly allow: string; readonly isPublic: boolean }
  | { readonly kind: "none" };

export type RouteTable<P> = (method: string, path: string) => Match<P>;

/** A row with the names of its path's parameters. */
interface Entry<P> {
  readonly row: TableRow<P>;
  readonly names: readonly string[];
}

/**
 * The lookup over all routes. It only matches: a caller without a key must get 401 before 404, and a dispatching router
 * would already have responded.
 * @throws `invalid_config` if two routes have the same method and path
 */
export function createRouteTable<P>(routes: readonly Route<P>[]): RouteTable<P> {
  const tree = new PathTree<Entry<P>>();
  const defined = new Set<string>();
  for (const route of routes) {
    const name = `${route.method} ${route.path}`;
    if (defined.has(name)) throw new AppError("invalid_config", `${name} is defined twice`);
    defined.add(name);
    tree.add(route.path, { row: toRow(route), names: namesIn(route.path) });
  }
  return (method, path) => {
    const found = tree.find(path);
    if (found === null) return { kind: "none" };
    const { ends, captures } = found;
    const served = method === "HEAD" ? "GET" : method;
    const entry = ends.find(({ row }) => row.route.method === served);
    if (entry !== undefined) {
      return { kind: "route", row: entry.row, params: readParams(entry.names, captures) };
    }
    const allow = new Set(ends.flatMap(({ row }) => methodsOf(row.route)));
    const isPublic = ends.some(({ row }) => row.route.access === "public");
    return { kind: "other_method", allow: [...allow].join(", "), isPublic };
  };
}

/** The methods that a route answers, in the order in which `Allow` has them. */
function methodsOf<P>({ method }: Route<P>): readonly string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function namesIn(path: string): string[] {
  return path
    .split("/")
    .filter((segment) => segment.startsWith(":"))
    .map((segment) => segment.slice(1));
}

function toRow<P>(route: Route<P>): TableRow<P> {
  const query = route.query ?? NO_FIELDS;
  const shape: Readonly<Record<string, z.core.$ZodType>> = query.def.shape;
  const lists = Object.entries(shape).filter(([, schema]) => isList(schema));
  const empty = query.safeParse({});
  return {
    route,
    query,
    repeatable: new Set(lists.map(([name]) => name)),
    emptyQuery: empty.success ? Object.freeze(empty.data) : undefined,
    body: route.body ?? (WITH_BODY.has(route.method) ? NO_FIELDS : null),
  };
}

function isList(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodArray) return true;
  const inner = schema instanceof z.ZodPipe ? schema.def.in : unwrap(schema);
  return inner !== null && isList(inner);
}

/** Null for a value that is not valid text: malformed encoding or control characters. */
function readParams(
  names: readonly string[],
  captures: readonly string[],
): Record<string, string | null> {
  return Object.fromEntries(names.map((name, i) => [name, decodePart(captures[i] ?? "")]));
}
