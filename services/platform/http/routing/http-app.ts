import Koa, { type Context } from "koa";

import { AppError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import {
  checkParams,
  checkQuery,
  isOpened,
  requireAcceptable,
  requireHost,
} from "../body/check-request.ts";
import { healthRoutes, type HealthOptions } from "./health-routes.ts";
import { docRoutes } from "../../openapi/doc-routes.ts";
import type { ApiDescription } from "../../openapi/describe-api.ts";
import {
  fingerprintOf,
  readIdempotencyKey,
  runEachTime,
  type Fingerprinted,
  type Once,
  type RunOnce,
} from "../../idempotency/idempotency-key.ts";
import { prepareFor } from "../../preparing.ts";
import { pageOf, type BuiltPages } from "../pages/built-pages.ts";
import { createCors } from "./cors.ts";
import { leaveWhenWritten, type CallerSlots } from "./caller-slots.ts";
import { missingFirst } from "../body/missing-first.ts";
import { createRequestObserver } from "./observe-request.ts";
import { toProblem } from "../problem/problem.ts";
import { readCredential } from "./read-credential.ts";
import { readSentForm, readSentJson, type Uploads } from "../body/read-sent.ts";
import { noContent, type Reply } from "./reply.ts";
import { readRequestId } from "./request-id.ts";
import { runPrepared } from "./run-prepared.ts";
import { createRouteTable, type Match, type RouteMatch, type RouteTable } from "./route-table.ts";
import type { BodyKind, Route } from "./route.ts";
import { splitTarget, type Target } from "./split-target.ts";
import { writeProblem, writeReply } from "./write-reply.ts";

/** Where a request came from, for limits on failed authentication. */
export interface Caller {
  readonly address: string;
}

export interface HttpAppOptions<P> extends HealthOptions {
  readonly routes: readonly Route<P>[];
  /** Without a key, every path below it is 401, even one that does not exist: `/v2`. */
  readonly protectedPrefix: string;
  readonly log: Logger;
  /** The caller's key; from the headers of every API unless given, such as where a cookie may hold one as well. */
  readCredential?(ctx: Context): string | null;
  /** The owner of a key; null for no key (`credential` null), an unknown or a revoked one. */
  authenticate(credential: string | null, caller: Caller): Promise<P | null>;
  /** Applies the rate limit: sets its headers, throws `rate_limited`. */
  admit?(principal: P, ctx: Context): Promise<void> | void;
  /** Called for a request without a valid key; throws `rate_limited` in place of the 401. */
  refused?(caller: Caller): Promise<void>;
  /** Limits how many requests of a caller run at once. */
  readonly slots?: CallerSlots<P> | undefined;
  /** Throws if a known caller may not do this: `account_suspended`, `forbidden`; `route` is null where none matches. */
  authorize?(principal: P, route: Route<P> | null, ctx: Context): Promise<void> | void;
  /** Ids for the log line, such as `{account_id}`. */
  describe?(principal: P): Readonly<Record<string, string>>;
  /** Receives the files of forms; required if a route takes one. */
  readonly uploads?: Uploads;
  /** Runs requests with an Idempotency-Key; without it the header is ignored. */
  readonly idempotency?: {
    readonly once: Once;
    /** The owner of the idempotency keys. */
    ownerOf(principal: P): string;
  };
  /** The general part of `/openapi.json`, and its page; without it neither is served. */
  readonly description?: ApiDescription;
  /** The application and the site that a browser is shown, where no route has the path. */
  readonly pages?: BuiltPages;
  /** Prefix of `Location` and `Link`, without a trailing slash; if absent, they are relative. */
  readonly publicUrl?: string | undefined;
  /** Origins of web pages that may call, `*` for any; none if absent. */
  readonly corsOrigins?: readonly string[];
}

/** One request in progress; `route` and `caller` are set during processing. */
interface Exchange {
  readonly ctx: Context;
  readonly requestId: string;
  route: string;
  quiet: boolean;
  caller: Readonly<Record<string, string>>;
  /** Gives back the caller's slot; null if the request holds none. */
  leave: (() => void) | null;
}

/**
 * The Koa application over a route table. Faults are checked in the contract's order: 401, 429, 403, 404
 * and 405, 406, 415, 413, 400, 422, then the handler's own; each is a problem+json response.
 */
export function createHttpApp<P>(options: HttpAppOptions<P>): Koa {
  const { log, publicUrl = "" } = options;
  if (options.uploads === undefined && options.routes.some(({ form }) => form !== undefined)) {
    throw new AppError(
      "invalid_config",
      "A route takes files, but no upload storage is configured.",
    );
  }
  const served = [...options.routes, ...healthRoutes<P>(options)];
  const { description } = options;
  const docs = description === undefined ? [] : docRoutes<P>(served, description, publicUrl);
  const table = createRouteTable<P>([...served, ...docs]);
  const observe = createRequestObserver(options);
  const allowOrigin = createCors(options.corsOrigins ?? []);
  const app = new Koa();
  app.on("error", (error: unknown) => {
    // A disconnected client is not worth a log line; a response that we aborted is an error of ours.
    if (error instanceof AppError) log.error({ err: error }, "a response was aborted");
    else log.debug({ err: error }, "a response could not be written");
  });
  app.use(async (ctx) => {
    const startedAt = performance.now();
    const exchange = newExchange(ctx);
    const { requestId } = exchange;
    ctx.res.setHeader("Request-Id", requestId);
    ctx.res.setHeader("X-Content-Type-Options", "nosniff");
    try {
      const reply = allowOrigin(ctx) ? noContent() : await answer(options, table, exchange);
      await writeReply(ctx, reply, publicUrl);
    } catch (error) {
      const problem = toProblem(error, requestId, description?.credential);
      const fields = { err: error, request_id: requestId, route: exchange.route };
      if (problem.status === 500) log.error(fields, "request failed");
      else if (problem.status > 500 && !exchange.quiet)
        log.warn(fields, "request could not be served");
      await writeProblem(ctx, problem);
    }
    leaveWhenWritten(ctx, exchange.leave);
    const ms = performance.now() - startedAt;
    const { route, quiet, caller } = exchange;
    const traceparent = ctx.get("traceparent");
    const { method, status } = ctx;
    observe({ method, route, status, ms, requestId, quiet, caller, traceparent });
  });
  return app;
}

function newExchange(ctx: Context): Exchange {
  const requestId = readRequestId(ctx.req.headers["request-id"]);
  return { ctx, requestId, route: "unmatched", quiet: false, caller: {}, leave: null };
}

async function answer<P>(
  options: HttpAppOptions<P>,
  table: RouteTable<P>,
  exchange: Exchange,
): Promise<Reply> {
  const { ctx } = exchange;
  requireHost(ctx.req);
  const target = splitTarget(ctx.req.url ?? "");
  const match = table(ctx.method, target.path);
  if (match.kind === "route") {
    exchange.route = match.row.route.path;
    exchange.quiet = match.row.route.quiet;
  }
  const admitted = isProtected(match, target, options.protectedPrefix)
    ? await admitCaller(options, exchange, match.kind === "route" ? match.row.route : null)
    : null;
  if (match.kind === "none") return pageOf(options.pages, ctx, target.path);
  if (match.kind === "other_method") throw methodNotAllowed(match.allow);
  const params = checkParams(match.row.route.params, match.params);
  const request = { row: match.row, params, target, admitted };
  return missingFirst(match.row.route, request, () => answerRoute(options, exchange, request));
}

/** A caller with a valid key, after the rate limit and authorization. */
interface Admitted<P> {
  readonly principal: P;
  readonly credential: string;
}

/** A request to a route; `admitted` is null if the route needs no key. */
interface MatchedRequest<P> extends Pick<RouteMatch<P>, "row"> {
  readonly params: unknown;
  readonly target: Target;
  readonly admitted: Admitted<P> | null;
}

async function answerRoute<P>(
  options: HttpAppOptions<P>,
  { ctx, requestId }: Exchange,
  { row, params, target, admitted }: MatchedRequest<P>,
): Promise<Reply> {
  const { route } = row;
  const principal = admitted?.principal ?? null;
  const takes: BodyKind = route.form === undefined ? "json" : "form";
  const none = { takes, found: undefined };
  const resolved = (await route.resolve?.({ principal, params })) ?? none;
  requireAcceptable(ctx, route);
  const sent =
    resolved.takes === "form"
      ? await readSentForm(ctx, route, options.uploads)
      : await readSentJson(ctx, row);
  try {
    const query = checkQuery(row, target.search);
    const key = readIdempotencyKey(ctx.req, route.method);
    const preparing = prepareFor(callerOf(options, admitted) ?? addressOf(ctx));
    const body = await sent.check(principal, preparing);
    if (route.noStore) ctx.res.setHeader("Cache-Control", "no-store");
    const { path, search } = target;
    const { found } = resolved;
    const publicUrl = options.publicUrl ?? "";
    const given = {
      principal,
      params,
      query,
      body,
      found,
      requestId,
      path,
      search,
      publicUrl,
      ctx,
    };
    const { method, noStore: isSecret } = route;
    const once = onceFor(options, admitted, { key, isSecret, method, path, search, body });
    return await runPrepared(route, given, { preparing, once });
  } finally {
    await sent.discard();
  }
}

interface KeyedRequest extends Fingerprinted {
  readonly key: string | null;
  readonly isSecret: boolean;
}

/** What a request runs in: under its Idempotency-Key, where it has one. */
function onceFor<P>(
  { idempotency }: HttpAppOptions<P>,
  admitted: Admitted<P> | null,
  { key, isSecret, ...request }: KeyedRequest,
): RunOnce {
  if (key === null || admitted === null || idempotency === undefined) return runEachTime;
  const owner = idempotency.ownerOf(admitted.principal);
  const { credential } = admitted;
  return idempotency.once({
    owner,
    key,
    fingerprint: fingerprintOf(request),
    credential,
    isSecret,
  });
}

function callerOf<P>({ idempotency }: HttpAppOptions<P>, admitted: Admitted<P> | null) {
  return admitted === null ? undefined : idempotency?.ownerOf(admitted.principal);
}

function addressOf(ctx: Context): string {
  return ctx.req.socket.remoteAddress ?? "";
}

function isProtected<P>(match: Match<P>, { path, search }: Target, prefix: string): boolean {
  if (match.kind === "route") {
    const { row, params } = match;
    return row.route.access !== "public" && !isOpened(row, params, search);
  }
  if (match.kind === "other_method" && match.isPublic) return false;
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** 401, then 429, then 403. */
async function admitCaller<P>(
  options: HttpAppOptions<P>,
  exchange: Exchange,
  route: Route<P> | null,
): Promise<Admitted<P>> {
  const { ctx } = exchange;
  const caller = { address: addressOf(ctx) };
  const credential =
    options.readCredential === undefined ? readCredential(ctx.req) : options.readCredential(ctx);
  const principal = await options.authenticate(credential, caller);
  if (credential === null || principal === null) {
    await options.refused?.(caller);
    throw new AppError("unauthorized", "No valid key.");
  }
  exchange.caller = options.describe?.(principal) ?? {};
  await options.admit?.(principal, ctx);
  await options.slots?.enter(principal);
  exchange.leave = () => options.slots?.leave(principal);
  await options.authorize?.(principal, route, ctx);
  return { principal, credential };
}

function methodNotAllowed(allow: string): AppError {
  return new AppError("method_not_allowed", `Allowed here: ${allow}.`, {
    headers: { Allow: allow },
  });
}
