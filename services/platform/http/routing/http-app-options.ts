import type { Context } from "koa";
import type { DividedPool } from "../../db/pool.ts";
import type { Once } from "../../idempotency/idempotency-key.ts";
import type { Logger } from "../../logger.ts";
import type { ApiDescription } from "../../openapi/describe-api.ts";
import type { Tracing } from "../../tracing/tracing.ts";
import type { Uploads } from "../body/read-sent.ts";
import type { BuiltPages } from "../pages/built-pages.ts";
import type { HealthOptions } from "./health-routes.ts";
import { isEventStream } from "./reply.ts";
import type { Route } from "./route.ts";

/** Where a request came from, for limits on failed authentication. */
export interface Caller {
  readonly address: string;
}

export interface HttpAppOptions<P> extends HealthOptions {
  readonly routes: readonly Route<P>[];
  /** Without a key, every path below it is 401, even one that does not exist: `/v2`. */
  readonly protectedPrefix: string;
  readonly log: Logger;
  readonly tracing?: Tracing | null;
  /** The caller's key; from the headers of every API unless given, such as where a cookie may hold one as well. */
  readCredential?(ctx: Context): string | null;
  /** The owner of a key; null for no key (`credential` null), an unknown or a revoked one. */
  authenticate(credential: string | null, caller: Caller): Promise<P | null>;
  /** Applies the rate limit: sets its headers, throws `rate_limited`. */
  admit?(principal: P, ctx: Context): Promise<void> | void;
  /** Called for a request without a valid key; throws `rate_limited` in place of the 401. */
  refused?(caller: Caller): Promise<void>;
  /**
   * What requests read and write, each as one of its kind of resource: requests for one that is locked or slow leave some
   * connections to all others.
   */
  readonly pool: DividedPool;
  /** Limits how many requests of a caller run at once. */
  readonly slots?: CallerSlots<P> | undefined;
  /** On whose behalf a request is made, who takes turns with others; the owner of its idempotency keys unless given. */
  turnsOf?(principal: P): string;
  /** Whether answers to this caller may be stored by nobody: it comes by a cookie. */
  isPrivate?(principal: P): boolean;
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

/** Slots for the requests of a caller that run at once. */
export interface CallerSlots<P> {
  /** Undefined if a slot is free, else resolves when one is. @throws `rate_limited` */
  enter(principal: P): Promise<void> | undefined;
  leave(principal: P): void;
}

/**
 * Gives a handled request's slot back once its answer is written, so that a slow reader keeps it. An event stream, which
 * has no end, keeps none: those have a limit of their own.
 */
export function leaveWhenWritten({ res }: Context, leave: (() => void) | null): void {
  if (leave === null) return;
  if (res.destroyed || isEventStream(res.getHeader("Content-Type"))) leave();
  else res.once("close", leave);
}
