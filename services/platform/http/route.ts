import type { Context } from "koa";
import type { z } from "zod";

import type { Reply } from "./reply.ts";
import { requireStrict } from "./require-strict.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Who may call: a customer's account, an operator at the desk, or anybody without a key. */
export type Access = "account" | "operator" | "public";

export const JSON_BODY_BYTES = 1024 * 1024;

/** What a handler is given: everything is parsed and checked. */
export interface RouteRequest<P, Params, Query, Body> {
  readonly principal: P;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly requestId: string;
  /** The path as it was sent. */
  readonly path: string;
  /** The query as it was sent, without `?`. */
  readonly search: string;
  /** The configured public URL without a trailing slash; empty where links are to be relative. */
  readonly publicUrl: string;
  readonly ctx: Context;
}

/** One row of the route table. It stays plain data, so that the API's description is made from it. */
export interface Route<P> {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly params: z.ZodObject | undefined;
  readonly query: z.ZodObject | undefined;
  readonly body: z.ZodType | undefined;
  readonly maxBodyBytes: number;
  readonly noStore: boolean;
  readonly produces: string;
  readonly quiet: boolean;
  // A method, not a property: the table forgets the types that the schemas above guarantee.
  handle(request: RouteRequest<P | null, unknown, unknown, unknown>): Promise<Reply> | Reply;
}

type NoFields = z.ZodObject<Record<string, never>>;

export interface RouteOptions<
  P,
  A extends Access,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
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
  readonly maxBodyBytes?: number;
  /** The answer shows a secret: `Cache-Control: no-store`. */
  readonly noStore?: boolean;
  /** The media type of a good answer; `application/json` where absent. */
  readonly produces?: string;
  /** Logged at debug only: health probes. */
  readonly quiet?: boolean;
  handle(
    request: RouteRequest<
      A extends "public" ? null : P,
      z.output<Params>,
      z.output<Query>,
      z.output<Body>
    >,
  ): Promise<Reply> | Reply;
}

export type DefineRoute<P> = <
  A extends Access,
  Params extends z.ZodObject = NoFields,
  Query extends z.ZodObject = NoFields,
  Body extends z.ZodType = NoFields,
>(
  options: RouteOptions<P, A, Params, Query, Body>,
) => Route<P>;

/** The `defineRoute` of a service whose callers are `P`: `const defineRoute = routesFor<Account>()`. */
export function routesFor<P>(): DefineRoute<P> {
  return (options) => {
    const place = `${options.method} ${options.path}`;
    if (options.query !== undefined) requireStrict(options.query, `${place} query`);
    if (options.body !== undefined) requireStrict(options.body, `${place} body`);
    return {
      params: undefined,
      query: undefined,
      body: undefined,
      maxBodyBytes: JSON_BODY_BYTES,
      noStore: false,
      produces: "application/json",
      quiet: false,
      ...options,
    };
  };
}
