import Koa, { type Context } from "koa";
import { AppError } from "../../errors.ts";
import {
  digestOf,
  readIdempotencyKey,
  runEachTime,
  type ComparedRequest,
  type RunOnce,
} from "../../idempotency/idempotency-key.ts";
import { docRoutes } from "../../openapi/doc-routes.ts";
import { missingFirst, prepareFor, runPrepared } from "./preparing.ts";
import { sampledTraceparent } from "../../traceparent.ts";
import {
  checkParams,
  checkQuery,
  linkStateOf,
  requireAcceptable,
  requireHost,
} from "../body/check-request.ts";
import { readSentForm, readSentJson } from "../body/read-sent.ts";
import { pageOf } from "../pages/built-pages.ts";
import { toProblem } from "../problem.ts";
import { readCredential } from "./credentials.ts";
import { healthRoutes } from "./health-routes.ts";
import { leaveWhenWritten, type HttpAppOptions } from "./http-app-options.ts";
import {
  createRequestObserver,
  readRequestId,
  resourceOf,
  traceRequests,
  UNMATCHED,
} from "./observe-request.ts";
import { noContent, type Reply } from "./reply.ts";
import {
  createRouteTable,
  splitTarget,
  type Match,
  type RouteMatch,
  type RouteTable,
  type Target,
} from "./route-table.ts";
import type { BodyKind } from "./route.ts";
import { packed, writeProblem, writeReply } from "./write-reply.ts";

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
  const serve = async (ctx: Context): Promise<string> => {
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
    const traceparent = recordedTrace(options, ctx);
    const { method, status } = ctx;
    observe({ method, route, status, ms, requestId, quiet, caller, traceparent });
    return route;
  };
  app.use(traceRequests(options.tracing, served, serve));
  return app;
}

/** The trace in which a request may be found: ours; where tracing is off, the client's, such as a proxy's before us. */
function recordedTrace({ tracing }: Pick<HttpAppOptions<never>, "tracing">, ctx: Context): string {
  return tracing == null ? ctx.get("traceparent") : (sampledTraceparent() ?? "");
}

function newExchange(ctx: Context): Exchange {
  const requestId = readRequestId(ctx.req.headers["request-id"]);
  return { ctx, requestId, route: UNMATCHED, quiet: false, caller: {}, leave: null };
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
    ? await admitCaller(options, exchange, match.kind === "route" ? match : null)
    : null;
  if (match.kind === "none") return pageOf(options.pages, ctx, target.path);
  if (match.kind === "other_method") throw methodNotAllowed(match.allow);
  const params = checkParams(match.row.route.params, match.params);
  const { pool } = options;
  const request = { row: match.row, params, target, admitted, db: pool };
  return pool.runAs(resourceOf(match.row.route.path), () =>
    missingFirst(match.row.route, request, () => answerRoute(options, exchange, request)),
  );
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
  const { pool: db } = options;
  const resolved =
    route.resolve === undefined ? none : await route.resolve({ db, principal, params });
  requireAcceptable(ctx, route);
  const owner = callerOf(options, admitted) ?? addressOf(ctx);
  const reading =
    resolved.takes === "form"
      ? readSentForm(ctx, route, { uploads: options.uploads, owner })
      : readSentJson(ctx, row);
  const sent = reading instanceof Promise ? await reading : reading;
  try {
    const query = checkQuery(row, target.search);
    const key = readIdempotencyKey(ctx.req, route.method);
    const preparing = prepareFor(owner);
    const body = await sent.check({ db, principal }, preparing);
    if (route.noStore && !ctx.res.hasHeader("Cache-Control")) {
      ctx.res.setHeader("Cache-Control", "no-store");
    }
    const { path, search } = target;
    const { found } = resolved;
    const publicUrl = options.publicUrl ?? "";
    const given = {
      db,
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
    const run = () => runPrepared(route, given, { preparing, once });
    if (route.inSlot === undefined) return await run();
    return await route.inSlot(given, async () => packed(ctx, await run()));
  } finally {
    if (sent.discard !== null) await sent.discard();
  }
}

interface KeyedRequest extends ComparedRequest {
  readonly key: string | null;
  readonly isSecret: boolean;
}

/** What a request runs in: under its Idempotency-Key, where it has one. */
function onceFor<P>(
  { idempotency, pool }: HttpAppOptions<P>,
  admitted: Admitted<P> | null,
  { key, isSecret, ...request }: KeyedRequest,
): RunOnce {
  if (key === null || admitted === null || idempotency === undefined) return runEachTime(pool);
  const owner = idempotency.ownerOf(admitted.principal);
  const { credential } = admitted;
  return idempotency.once({ owner, key, digest: digestOf(request), credential, isSecret });
}

function callerOf<P>(options: HttpAppOptions<P>, admitted: Admitted<P> | null) {
  if (admitted === null) return undefined;
  const { principal } = admitted;
  return options.turnsOf?.(principal) ?? options.idempotency?.ownerOf(principal);
}

function addressOf(ctx: Context): string {
  return ctx.req.socket.remoteAddress ?? "";
}

function isProtected<P>(match: Match<P>, { path, search }: Target, prefix: string): boolean {
  if (match.kind === "route") {
    const { row, params } = match;
    return row.route.access !== "public" && linkStateOf(row, params, search) !== "valid";
  }
  if (match.kind === "other_method" && match.isPublic) return false;
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** 401, then 429, then 403. */
async function admitCaller<P>(
  options: HttpAppOptions<P>,
  exchange: Exchange,
  match: RouteMatch<P> | null,
): Promise<Admitted<P>> {
  const { ctx } = exchange;
  const caller = { address: addressOf(ctx) };
  const credential =
    options.readCredential === undefined ? readCredential(ctx.req) : options.readCredential(ctx);
  const principal = await options.authenticate(credential, caller);
  if (credential === null || principal === null) {
    await options.refused?.(caller);
    throw unauthorized(match, ctx);
  }
  exchange.caller = options.describe?.(principal) ?? {};
  if (options.isPrivate?.(principal) === true) {
    ctx.res.setHeader("Cache-Control", "private, no-store");
  }
  await options.admit?.(principal, ctx);
  const slot = options.slots?.enter(principal);
  if (slot !== undefined) await slot;
  exchange.leave = () => options.slots?.leave(principal);
  await options.authorize?.(principal, match?.row.route ?? null, ctx);
  return { principal, credential };
}

/** Nothing is revealed about a key; about a link that we have signed, that it has expired. */
function unauthorized<P>(match: RouteMatch<P> | null, ctx: Context): AppError {
  const { search } = splitTarget(ctx.req.url ?? "");
  const state = match === null ? "foreign" : linkStateOf(match.row, match.params, search);
  if (state !== "expired") return new AppError("unauthorized", "No valid key.");
  const detail = "The link has expired. Ask for a new one, or send an active API key.";
  return new AppError("unauthorized", detail, {
    faults: [{ parameter: "expires", code: "link_expired", detail }],
  });
}

function methodNotAllowed(allow: string): AppError {
  return new AppError("method_not_allowed", `Allowed here: ${allow}.`, {
    headers: { Allow: allow },
  });
}

/** Sets the CORS headers; returns true for a preflight request, which needs no further handling. */
type Cors = (ctx: Context) => boolean;

const METHODS = "GET, HEAD, POST, PATCH, DELETE";
const REQUEST_HEADERS =
  "Authorization, X-API-Key, Content-Type, Idempotency-Key, Request-Id, Last-Event-ID";
const ANSWER_HEADERS =
  "Request-Id, Location, Link, Allow, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, ETag, Content-Disposition";
/** How long a browser may cache a preflight, in seconds. */
const MAX_AGE = "600";

/**
 * Allows calls from web pages of these origins, or of any with `*`; an empty list switches CORS off. Keys
 * are in headers, never in cookies, so a page can use only a key that it was given.
 */
function createCors(origins: readonly string[]): Cors {
  if (origins.length === 0) return () => false;
  const known = new Set(origins);
  const isAny = known.has("*");
  return (ctx) => {
    const { origin } = ctx.req.headers;
    if (!isAny) ctx.vary("Origin");
    if (origin === undefined || !(isAny || known.has(origin))) return false;
    ctx.set("Access-Control-Allow-Origin", isAny ? "*" : origin);
    if (!isPreflight(ctx)) {
      ctx.set("Access-Control-Expose-Headers", ANSWER_HEADERS);
      return false;
    }
    ctx.set("Access-Control-Allow-Methods", METHODS);
    ctx.set("Access-Control-Allow-Headers", REQUEST_HEADERS);
    ctx.set("Access-Control-Max-Age", MAX_AGE);
    return true;
  };
}

function isPreflight({ method, req }: Context): boolean {
  return method === "OPTIONS" && req.headers["access-control-request-method"] !== undefined;
}
