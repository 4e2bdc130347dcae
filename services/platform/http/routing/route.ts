import type { Context } from "koa";
import { z } from "zod";
import type { Database } from "../../db/transaction.ts";
import { AppError, type Fault } from "../../errors.ts";
import type { Preparing } from "./preparing.ts";
import { uuid } from "../body/fields.ts";
import type { ProblemCode } from "../problem.ts";
import type { Reply } from "./reply.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: a customer's account, an operator at the desk, anyone without a key, or an account or the
 * holder of a signed link that the route's `opens` accepts.
 */
type Access = "account" | "operator" | "public" | "link";

/** The kind of body a request must have: JSON, or multipart/form-data with a file. */
export type BodyKind = "json" | "form";

/** A handler's input: everything is parsed and checked. */
export interface RouteRequest<P, Params, Query, Body, Found = unknown, Prepared = unknown> {
  /** What the request reads and writes: where it has an Idempotency-Key, `handle` gets the transaction of the key. */
  readonly db: Database;
  readonly principal: P;
  readonly params: Params;
  readonly query: Query;
  /** The JSON body, or the fields of the form with its `file`. */
  readonly body: Body;
  /** What the route's `resolve` found. */
  readonly found: Found;
  /** The result of the route's `prepare`. */
  readonly prepared: Prepared;
  readonly requestId: string;
  /** The path as sent. */
  readonly path: string;
  /** The query as sent, without `?`. */
  readonly search: string;
  /** The configured public URL without a trailing slash; empty for relative links. */
  readonly publicUrl: string;
  readonly ctx: Context;
}

/** What is known about a request before its body is read. */
type EarlyRequest<P, Params> = Pick<
  RouteRequest<P, Params, unknown, unknown>,
  "db" | "principal" | "params"
>;

/** A body as multipart/form-data: text fields, and one file in the field `file`. */
interface Form<Fields extends z.ZodType = z.ZodType> {
  /** Includes `file`, a `formFile()`. */
  readonly fields: Fields;
  readonly maxFileBytes: number;
}

/** A response that is not JSON. */
interface RawAnswer {
  readonly mediaTypes: readonly string[];
}

/** Of a signed link: `foreign` is one that we have not signed, or none at all. */
export type LinkState = "valid" | "expired" | "foreign";

/** A successful response: JSON with a schema, other content, or nothing. */
export type GoodAnswer = z.ZodType | RawAnswer | null;

export function isRaw(answer: z.ZodType | RawAnswer): answer is RawAnswer {
  return "mediaTypes" in answer;
}

/** The description of a route, apart from its path, parameters and body. */
interface RouteFacts {
  /** The name of the operation in generated clients, such as `signLoa`; derived from method and path unless given. */
  readonly operationId?: string;
  /** Further information for the caller; markdown. */
  readonly description?: string;
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204, GoodAnswer>>>;
  /** Problems in addition to those of every route of its kind. */
  readonly refuses?: readonly ProblemCode[];
  /** Other media types of the answer, which the route returns where Accept prefers them. */
  readonly alternatives?: readonly string[];
  /** The least role that a caller needs, where callers have roles. */
  readonly role?: string;
  /** Headers that the route reads itself. */
  readonly headers?: z.ZodObject;
}

/** Settings that most routes leave at their defaults. */
interface RouteSettings {
  readonly maxBodyBytes: number;
  /** The response contains a secret: `Cache-Control: no-store`. */
  readonly noStore: boolean;
  /** The media type of a successful response. */
  readonly produces: string;
  /** Logged at debug only: health probes. */
  readonly quiet: boolean;
}

const USUAL: RouteSettings = {
  maxBodyBytes: 1024 * 1024,
  noStore: false,
  produces: "application/json",
  quiet: false,
};

/**
 * The steps of a route, in the order in which they run. Methods, not properties, so that a `Route` may
 * erase their parameter types.
 */
interface RouteSteps<Principal, Params, Query, Body, Found, Prepared> {
  /** With access `link`: whether the link replaces a key. */
  opens?(request: { readonly params: Params; readonly query: Query }): LinkState;
  /**
   * Runs before the body is read: finds what the path identifies, or refuses, and returns which kind of
   * body it takes.
   */
  resolve?(
    request: EarlyRequest<Principal, Params>,
  ): Promise<{ readonly takes: BodyKind; readonly found: Found }>;
  /** Finds further faults of a JSON body, as sent, that does not fit its schema. */
  findMoreFaults?(
    request: { readonly db: Database; readonly principal: Principal; readonly body: unknown },
    preparing: Preparing,
  ): Promise<readonly Fault[]>;
  /**
   * Throws `not_found` if the path identifies nothing of the caller's. Called only if the request would
   * be refused for its content, because 404 precedes that; `handle` checks by itself.
   */
  find?(request: EarlyRequest<Principal, Params>): Promise<unknown>;
  /**
   * For what the database or this process works at for long: runs a request in one of a few slots, or refuses it. No database connection
   * is held by one that waits for a slot.
   */
  inSlot?<T>(
    request: Pick<
      RouteRequest<Principal, Params, Query, Body>,
      "db" | "principal" | "params" | "query" | "body"
    >,
    run: () => Promise<T>,
  ): Promise<T>;
  /**
   * Slow work that needs no transaction, such as a DNS lookup or rendering a letter. No database connection is held
   * meanwhile, and it is skipped if the response is replayed under its Idempotency-Key.
   */
  prepare?(
    request: Unprepared<RouteRequest<Principal, Params, Query, Body, Found>>,
    preparing: Preparing,
  ): Promise<Prepared>;
  /** May throw `StalePreparation`, to have the request prepared again. */
  handle(
    request: RouteRequest<Principal, Params, Query, Body, Found, Prepared>,
  ): Promise<Reply> | Reply;
}

export type Unprepared<Request> = Omit<Request, "prepared">;

/** One row of the route table; plain data, so that the API description is generated from it. */
export interface Route<P>
  extends
    RouteFacts,
    RouteSettings,
    RouteSteps<P | null, unknown, unknown, unknown, unknown, unknown> {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly summary: string;
  readonly params: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly form?: Form;
}

/** The names in a path, such as `id` in `/v2/things/:id`; their values are text. */
type ParamsOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? { readonly [K in Name]: string }
    : unknown;

interface RouteOptions<
  Principal,
  Params,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Fields extends z.ZodType,
  Found,
  Prepared,
>
  extends
    RouteFacts,
    Partial<RouteSettings>,
    RouteSteps<
      Principal,
      Params,
      z.output<Query>,
      z.output<Body> | z.output<Fields>,
      Found,
      Prepared
    > {
  /** Schemas of parameters that are not UUIDs. A path that does not match is 404. */
  readonly params?: { readonly [K in keyof Params]?: z.ZodType<string> };
  /** An unlisted parameter is 400; list parameters may be repeated. */
  readonly query?: Query;
  /** A POST, PUT or PATCH without a schema accepts no properties. */
  readonly body?: Body;
  /** Instead of a JSON body, or in addition to one if `resolve` selects between them. */
  readonly form?: Form<Fields>;
}

/** The principal that a route's steps receive. */
type Caller<P, A extends Access> = A extends "public" ? null : A extends "link" ? P | null : P;
type NoFields = z.ZodObject<Record<string, never>>;

/** Defines the route of a path, such as `/v2/things/:id`, with a short imperative summary. */
type DefineRoute<P, A extends Access> = <
  Path extends string,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = NoFields,
  Fields extends z.ZodType = z.ZodNever,
  Found = undefined,
  Prepared = undefined,
>(
  path: Path,
  summary: string,
  options: RouteOptions<Caller<P, A>, ParamsOf<Path>, Query, Body, Fields, Found, Prepared>,
) => Route<P>;

/**
 * Functions that define routes for callers of type `P`, by method: `const { GET } =
 * routesFor<Account>("account")`.
 */
export function routesFor<P, A extends Access>(
  access: A,
  facts: Pick<RouteFacts, "role"> = {},
): Record<Method, DefineRoute<P, A>> {
  const define =
    (method: Method): DefineRoute<P, A> =>
    (path, summary, options) => {
      const { query, body, form } = options;
      for (const [name, schema] of Object.entries({ query, body, form: form?.fields })) {
        if (schema !== undefined) requireStrict(schema, `${method} ${path} ${name}`);
      }
      const params = paramsOf(path, options.params ?? {});
      return { ...USUAL, method, path, access, summary, ...facts, ...options, params };
    };
  return {
    GET: define("GET"),
    POST: define("POST"),
    PUT: define("PUT"),
    PATCH: define("PATCH"),
    DELETE: define("DELETE"),
  };
}

function paramsOf(path: string, forms: Readonly<Record<string, z.ZodType | undefined>>) {
  const found = [...path.matchAll(/(?:([a-z_]+)\/)?:([a-z_]+)/g)];
  const params = found.map(([, of = "", name = ""]) => [name, forms[name] ?? idIn(of)] as const);
  return z.strictObject(Object.fromEntries(params));
}

/** The id of an item of a collection, such as `things`. */
function idIn(collection: string) {
  const item = singular(collection).replaceAll("_", " ");
  return uuid().meta({ description: `The id of the ${item}` });
}

/**
 * Checks, when a route is defined, that its schema refuses unknown properties at every depth.
 * `z.looseObject` and `catchall` allow them explicitly and pass.
 * @throws `invalid_config` naming the place
 */
function requireStrict(schema: z.core.$ZodType, location: string): void {
  if (schema instanceof z.ZodObject) {
    if (schema.def.catchall === undefined) {
      throw new AppError("invalid_config", `${location} must be a z.strictObject`);
    }
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.def.shape;
    for (const [key, inner] of Object.entries(shape)) requireStrict(inner, `${location}.${key}`);
  } else if (schema instanceof z.ZodArray) requireStrict(schema.def.element, `${location}[]`);
  else if (schema instanceof z.ZodUnion) {
    for (const option of schema.def.options) requireStrict(option, location);
  } else if (schema instanceof z.ZodPipe) requireStrict(schema.def.in, location);
  else {
    const inner = unwrap(schema);
    if (inner !== null) requireStrict(inner, location);
  }
}

/** The schema inside an optional, nullable, defaulted or read-only one; null if it wraps nothing. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType | null {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly;
  return wraps ? schema.def.innerType : null;
}

/** `deliveries` → `delivery`; a word that is not a plural stays as it is. */
export function singular(noun: string): string {
  return noun.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}
