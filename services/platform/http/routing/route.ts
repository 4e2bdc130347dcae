import type { Context } from "koa";
import { z } from "zod";

import type { Fault } from "../../errors.ts";
import type { Reply } from "./reply.ts";
import type { ProblemCode } from "../problem/problem.ts";
import { uuid } from "../body/fields.ts";
import { requireStrict } from "../body/require-strict.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: a customer's account, an operator at the desk, anybody without a key, or an account or whoever has a
 * link that the route's `opens` accepts.
 */
export type Access = "account" | "operator" | "public" | "link";

/** Which kind of body a request is to have: JSON, or multipart/form-data with a file. */
export type BodyKind = "json" | "form";

/** What a handler is given: everything is parsed and checked. */
export interface RouteRequest<P, Params, Query, Body, Found = unknown> {
  readonly principal: P;
  readonly params: Params;
  readonly query: Query;
  /** The value of the JSON body, or the fields of the form with its `file`. */
  readonly body: Body;
  /** What the route's `resolve` found. */
  readonly found: Found;
  readonly requestId: string;
  /** The path as it was sent. */
  readonly path: string;
  /** The query as it was sent, without `?`. */
  readonly search: string;
  /** The configured public URL without a trailing slash; empty where links are to be relative. */
  readonly publicUrl: string;
  readonly ctx: Context;
}

/** What is known of a request before its body is read. */
export type EarlyRequest<P, Params> = Pick<
  RouteRequest<P, Params, unknown, unknown>,
  "principal" | "params"
>;

/** A body as multipart/form-data: text fields, and one file in the field `file`. */
export interface Form<Fields extends z.ZodType = z.ZodType> {
  /** Its `file` is a `formFile()`. */
  readonly fields: Fields;
  readonly maxFileBytes: number;
}

/** An answer that is not JSON. */
export interface RawAnswer {
  readonly mediaTypes: readonly string[];
}

/** What is answered: JSON of a schema, something else, or nothing. */
export type GoodAnswer = z.ZodType | RawAnswer | null;

export function isRaw(answer: z.ZodType | RawAnswer): answer is RawAnswer {
  return "mediaTypes" in answer;
}

/** What describes a route beside its path, its parameters and its body. */
interface RouteFacts {
  /** What a caller should know besides the summary; markdown. */
  readonly description?: string;
  readonly answers: Readonly<Partial<Record<200 | 201 | 202 | 204, GoodAnswer>>>;
  /** Problems besides those that every route of its kind may answer. */
  readonly refuses?: readonly ProblemCode[];
  /** Headers that it reads itself. */
  readonly headers?: z.ZodObject;
}

/** What most routes leave as it is. */
interface RouteSettings {
  readonly maxBodyBytes: number;
  /** The answer shows a secret: `Cache-Control: no-store`. */
  readonly noStore: boolean;
  /** The media type of a good answer. */
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

/** What a route does, in the order in which it is asked. Methods, not properties: a `Route` forgets what they take. */
interface RouteSteps<Principal, Params, Query, Body, Found> {
  /** With access `link`: whether the link stands for a key. */
  opens?(request: { readonly params: Params; readonly query: Query }): boolean;
  /** Before the body is read: finds what the path names, or refuses, and says which kind of body it takes. */
  resolve?(
    request: EarlyRequest<Principal, Params>,
  ): Promise<{ readonly takes: BodyKind; readonly found: Found }>;
  /** Of a JSON body, as it was sent, that does not fit its schema: what else is wrong with it. */
  findMoreFaults?(request: {
    readonly principal: Principal;
    readonly body: unknown;
  }): Promise<readonly Fault[]>;
  /**
   * Throws `not_found` where the path names nothing of the caller's. Asked only where the request is to be refused for
   * what it holds, because 404 goes before that; `handle` finds out by itself.
   */
  find?(request: EarlyRequest<Principal, Params>): Promise<unknown>;
  handle(request: RouteRequest<Principal, Params, Query, Body, Found>): Promise<Reply> | Reply;
}

/** One row of the route table. It stays plain data, so that the API's description is made from it. */
export interface Route<P>
  extends RouteFacts, RouteSettings, RouteSteps<P | null, unknown, unknown, unknown, unknown> {
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

export interface RouteOptions<
  Principal,
  Params,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Fields extends z.ZodType,
  Found,
>
  extends
    RouteFacts,
    Partial<RouteSettings>,
    RouteSteps<Principal, Params, z.output<Query>, z.output<Body> | z.output<Fields>, Found> {
  /** The form of those that are not UUIDs. A path that does not fit is 404. */
  readonly params?: { readonly [K in keyof Params]?: z.ZodType<string> };
  /** A parameter that is not named here is 400; lists may be repeated. */
  readonly query?: Query;
  /** A POST, PUT or PATCH without one takes no property at all. */
  readonly body?: Body;
  /** Instead of a JSON body, or besides one where `resolve` says which. */
  readonly form?: Form<Fields>;
}

/** Who calls a route, as its steps are given it. */
type Caller<P, A extends Access> = A extends "public" ? null : A extends "link" ? P | null : P;
type NoFields = z.ZodObject<Record<string, never>>;

/** A route of a path, such as `/v2/things/:id`, with what it does in a few words, in the imperative. */
export type DefineRoute<P, A extends Access> = <
  Path extends string,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = NoFields,
  Fields extends z.ZodType = z.ZodNever,
  Found = undefined,
>(
  path: Path,
  summary: string,
  options: RouteOptions<Caller<P, A>, ParamsOf<Path>, Query, Body, Fields, Found>,
) => Route<P>;

/** How a service whose callers are `P` defines routes, by method: `const { GET } = routesFor<Account>("account")`. */
export function routesFor<P, A extends Access>(access: A): Record<Method, DefineRoute<P, A>> {
  const define =
    (method: Method): DefineRoute<P, A> =>
    (path, summary, options) => {
      const { query, body, form } = options;
      for (const [name, schema] of Object.entries({ query, body, form: form?.fields })) {
        if (schema !== undefined) requireStrict(schema, `${method} ${path} ${name}`);
      }
      const params = paramsOf(path, options.params ?? {});
      return { ...USUAL, method, path, access, summary, ...options, params };
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
  const names = [...path.matchAll(/\/:([a-z_]+)/g)].map(([, name = ""]) => name);
  return z.strictObject(Object.fromEntries(names.map((name) => [name, forms[name] ?? uuid()])));
}
