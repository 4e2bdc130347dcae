import type { Database } from "../../db/transaction.ts";
import { AppError, type ErrorCode } from "../../errors.ts";
import type { RunOnce } from "../../idempotency/idempotency-key.ts";
import type { Reply } from "./reply.ts";
import type { Route, RouteRequest, Unprepared } from "./route.ts";

declare const preparing: unique symbol;

/**
 * Proof that no database connection is held: only a request's `prepare` step is given one, before its transaction
 * begins. What waits for strangers, prints or hashes asks for it, so that it cannot be called anywhere else.
 */
export interface Preparing {
  readonly [preparing]: true;
  /** On whose behalf: who waits takes turns with others of the same account. */
  readonly owner: string;
}

/** For who runs `prepare` steps: the HTTP pipeline, and tests of what asks for the proof. */
export function prepareFor(owner: string): Preparing {
  return { owner } as Preparing;
}

/** What was prepared does not fit any more: what it was made from has changed since. */
export class StalePreparation extends Error {
  constructor() {
    super("what was prepared has changed since");
    this.name = "StalePreparation";
  }
}

/** How often a request is prepared again because what it was prepared from changed meanwhile. */
const TRIES = 4;

type Request<P> = RouteRequest<P | null, unknown, unknown, unknown>;

interface Preparation {
  readonly preparing: Preparing;
  /** Hands the request what it has its effect in: its transaction where it has an Idempotency-Key. */
  readonly once: RunOnce;
}

/**
 * Prepares a request and handles it. What was prepared from something that has changed since is made again.
 * @throws `unavailable` where it changes all the time
 */
export async function runPrepared<P>(
  route: Pick<Route<P>, "prepare" | "handle">,
  request: Unprepared<Request<P>>,
  { preparing, once }: Preparation,
): Promise<Reply> {
  for (let n = 0; n < TRIES; n += 1) {
    try {
      return await tryOnce(route, request, { preparing, once });
    } catch (error) {
      if (!(error instanceof StalePreparation)) throw error;
    }
  }
  const detail = "What the request is about changes all the time. Try again.";
  throw new AppError("unavailable", detail, { retryable: true });
}

function tryOnce<P>(
  route: Pick<Route<P>, "prepare" | "handle">,
  request: Unprepared<Request<P>>,
  { preparing, once }: Preparation,
): Promise<Reply> {
  if (route.prepare === undefined) {
    return once(null, async (db) => route.handle({ ...request, db, prepared: undefined }));
  }
  const made: { prepared: unknown; isMade: boolean } = { prepared: undefined, isMade: false };
  const prepare = async (): Promise<void> => {
    made.prepared = await route.prepare?.(request, preparing);
    made.isMade = true;
  };
  return once(prepare, async (db) => {
    // An answer that was about to be replayed has expired meanwhile.
    if (!made.isMade) throw new StalePreparation();
    return route.handle({ ...request, db, prepared: made.prepared });
  });
}

/** Codes that refuse a request for its content, whatever its path identifies. */
const FOR_ITS_CONTENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "not_acceptable",
  "unsupported_media_type",
  "payload_too_large",
  "malformed_json",
  "invalid_parameter",
  "invalid_header",
  "validation_failed",
  "webhook_url_blocked",
]);

interface Sent<P> {
  readonly db: Database;
  readonly params: unknown;
  readonly admitted: { readonly principal: P } | null;
}

/**
 * Answers a request; one that would be refused for its content is `not_found` if its path identifies
 * nothing. Successful requests pay nothing for this check.
 */
export async function missingFirst<P>(
  route: Pick<Route<P>, "find">,
  { db, params, admitted }: Sent<P>,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof AppError && FOR_ITS_CONTENT.has(error.code)) {
      await route.find?.({ db, principal: admitted?.principal ?? null, params });
    }
    throw error;
  }
}
