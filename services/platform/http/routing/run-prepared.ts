import { AppError } from "../../errors.ts";
import type { RunOnce } from "../../idempotency/idempotency-key.ts";
import { StalePreparation, type Preparing } from "../../preparing.ts";
import type { Reply } from "./reply.ts";
import type { Route, RouteRequest, Unprepared } from "./route.ts";

/** How often a request is prepared again because what it was prepared from changed meanwhile. */
const TRIES = 4;

type Request<P> = RouteRequest<P | null, unknown, unknown, unknown>;

export interface Preparation {
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
