import { Router } from "@koa/router";
import { z } from "zod";
import { AppError } from "../../errors.ts";
import { decodePart } from "../body/check-request.ts";
import { unwrap, type Method, type Route } from "./route.ts";

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
  /** `isPublic`: another method of the path needs no key, so that the path is not a secret. */
  | { readonly kind: "other_method"; readonly allow: string; readonly isPublic: boolean }
  | { readonly kind: "none" };

export type RouteTable<P> = (method: string, path: string) => Match<P>;

/**
 * The lookup over all routes. The router only matches: a caller without a key must get 401 before 404,
 * and a dispatching router would already have responded. It tries its routes one after the other, so that each number of
 * segments has a router of its own.
 * @throws `invalid_config` if two routes have the same method and path
 */
export function createRouteTable<P>(routes: readonly Route<P>[]): RouteTable<P> {
  const routers = new Map<number, Router>();
  const rows = new Map<string, TableRow<P>>();
  for (const route of [...routes].sort(bySpecificity)) {
    const name = `${route.method} ${route.path}`;
    if (rows.has(name)) throw new AppError("invalid_config", `${name} is defined twice`);
    rows.set(name, toRow(route));
    const length = lengthOf(route.path);
    const router = routers.get(length) ?? new Router({ strict: true, sensitive: true });
    routers.set(length, router);
    router.register(route.path, [route.method], () => undefined, { name });
  }
  return (method, path) => {
    const layers = mostSpecific(routers.get(lengthOf(path))?.match(path, method).path ?? []);
    const layer = layers.find(({ methods }) => methods.includes(method));
    const row = layer?.name === undefined ? undefined : rows.get(layer.name);
    if (layer !== undefined && row !== undefined) {
      const names = layer.paramNames.map((key) => key.name);
      return { kind: "route", row, params: readParams(names, layer.captures(path)) };
    }
    if (layers.length === 0) return { kind: "none" };
    const allow = new Set(layers.flatMap((other) => other.methods.toReversed()));
    const isPublic = layers.some(
      ({ name }) => name !== undefined && rows.get(name)?.route.access === "public",
    );
    return { kind: "other_method", allow: [...allow].join(", "), isPublic };
  };
}

/** The number of slashes, and so of segments: a parameter stands for one of them. */
function lengthOf(path: string): number {
  return path.split("/").length;
}

/** Where a fixed segment matches, a parameter does not: `/things/search` is not a thing, whatever the method. */
function mostSpecific<L extends { readonly path: string | RegExp }>(layers: readonly L[]): L[] {
  const [first] = layers;
  const mask = ({ path }: L): string => parameterMask(String(path));
  return first === undefined ? [] : layers.filter((layer) => mask(layer) === mask(first));
}

/** A fixed segment precedes a parameter, in whatever order they were defined. */
function bySpecificity<P>(a: Route<P>, b: Route<P>): number {
  const [left, right] = [parameterMask(a.path), parameterMask(b.path)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function parameterMask(path: string): string {
  return path.replaceAll(/\/(:?)[^/]*/g, (_, colon: string) => (colon === "" ? "0" : "1"));
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

/** A request's target, still percent-encoded. */
export interface Target {
  readonly path: string;
  /** Without its `?`; empty if there is none. */
  readonly search: string;
}

const ABSOLUTE = /^https?:\/\/[^/?]*/i;

/** Splits the request line's target, which may be absolute (RFC 9112, section 3.2.2). */
export function splitTarget(url: string): Target {
  const target = url.startsWith("/") ? url : url.replace(ABSOLUTE, "");
  const at = target.indexOf("?");
  return at < 0
    ? { path: target, search: "" }
    : { path: target.slice(0, at), search: target.slice(at + 1) };
}
