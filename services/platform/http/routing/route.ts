import type { Context } from "koa";
import type { z } from "zod";

import type { Fault } from "../../errors.ts";
import type { Reply } from "./reply.ts";
import type { RouteDoc } from "./route-doc.ts";
import { requireStrict } from "../body/require-strict.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: a customer's account, an operator at the desk, anybody without a key, or an account or whoever has a
 * link that the route's `opens` accepts.
 */
export type Access = "account" | "operator" | "public" | "link";

/** Which kind of body a request is to have: JSON, or multipart/form-data with a file. */
export type BodyKind = "json" | "form";

export const JSON_BODY_BYTES = 1024 * 1024;

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

type MoreFaults = Promise<readonly Fault[]>;

export interface Resolved<Found> {
  readonly takes: BodyKind;
  readonly found: Found;
}

/** A body as multipart/form-data: text fields, and one file in the field `file`. */
export interface Form<Fields extends z.ZodType = z.ZodType> {
  /** Its `file` is a `formFile()`. */
  readonly fields: Fields;
  readonly maxFileBytes: number;
}

/** One row of the route table. It stays plain data, so that the API's description is made from it. */
export interface Route<P> {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly params: z.ZodObject | undefined;
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodType | undefined;
  readonly form: Form | undefined;
  readonly maxBodyBytes: number;
  readonly noStore: boolean;
  readonly produces: string;
  readonly quiet: boolean;
  readonly doc: RouteDoc;
  // A method, not a property: the table forgets the types that the schemas above guarantee.
  resolve?(request: EarlyRequest<P | null, unknown>): Promise<Resolved<unknown>>;
  find?(request: EarlyRequest<P | null, unknown>): Promise<unknown>;
  findMoreFaults?(request: { readonly principal: P | null; readonly body: unknown }): MoreFaults;
  opens?(request: { readonly params: unknown; readonly query: unknown }): boolean;
  handle(request: RouteRequest<P | null, unknown, unknown, unknown>): Promise<Reply> | Reply;
}

/** Whom a handler is told of. */
type Caller<P, A extends Access> = A extends "public" ? null : A extends "link" ? P | null : P;

type NoFields = z.ZodObject<Record<string, never>>;

export interface RouteOptions<
  P,
  A extends Access,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Fields extends z.ZodType,
  Found,
> {
  readonly method: Method;
  /** With `:name` for each parameter: `/v2/things/:id`. */
  readonly path: string;
  readonly access: A;
  /** A path that does not fit is 404. */
  readonly params?: Params;
  /** A parameter that is not named here is 400; lists may be repeated. */
  readonly query?: Query;
  /** A POST, PUT or PATCH without one takes no property at all. */
  readonly body?: Body;
  /** Instead of a JSON body, or besides one where `resolve` tells which. */
  readonly form?: Form<Fields>;
  readonly maxBodyBytes?: number;
  /** The answer shows a secret: `Cache-Control: no-store`. */
  readonly noStore?: boolean;
  /** The media type of a good answer; `application/json` where absent. */
  readonly produces?: string;
  /** Logged at debug only: health probes. */
  readonly quiet?: boolean;
  /** For the API's description: no route without it. */
  readonly doc: RouteDoc;
  /** Before the body is read: finds what the path names, or refuses, and tells which kind of body it takes. */
  resolve?(request: EarlyRequest<Caller<P, A>, z.output<Params>>): Promise<Resolved<Found>>;
  /**
   * Throws `not_found` where the path names nothing of the caller's. Asked only where the request is to be refused for what
   * it holds, because 404 goes before that; `handle` finds out by itself.
   */
  find?(request: EarlyRequest<Caller<P, A>, z.output<Params>>): Promise<unknown>;
  /** Of a JSON body that does not fit its schema: what else is wrong with it, so that all is told at once. */
  findMoreFaults?(request: {
    readonly principal: Caller<P, A>;
    /** As it was sent, unchecked. */
    readonly body: unknown;
  }): MoreFaults;
  /** With access `link`: whether the link stands for a key. */
  opens?(request: { readonly params: z.output<Params>; readonly query: z.output<Query> }): boolean;
  handle(
    request: RouteRequest<
      Caller<P, A>,
      z.output<Params>,
      z.output<Query>,
      z.output<Body> | z.output<Fields>,
      Found
    >,
  ): Promise<Reply> | Reply;
}

export type DefineRoute<P> = <
  A extends Access,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = NoFields,
  Fields extends z.ZodType = z.ZodNever,
  Found = undefined,
>(
  options: RouteOptions<P, A, Params, Query, Body, Fields, Found>,
) => Route<P>;

/** The `defineRoute` of a service whose callers are `P`: `const defineRoute = routesFor<Account>()`. */
export function routesFor<P>(): DefineRoute<P> {
  return (options) => {
    const place = `${options.method} ${options.path}`;
    if (options.query !== undefined) requireStrict(options.query, `${place} query`);
    if (options.body !== undefined) requireStrict(options.body, `${place} body`);
    if (options.form !== undefined) requireStrict(options.form.fields, `${place} form`);
    return {
      params: undefined,
      query: undefined,
      body: undefined,
      form: undefined,
      maxBodyBytes: JSON_BODY_BYTES,
      noStore: false,
      produces: "application/json",
      quiet: false,
      ...options,
    };
  };
}
