import type { Pool } from "pg";
import type { Clock } from "../clock.ts";
import { inOpenTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import type { Fingerprints } from "./fingerprints.ts";
import type { Once, OnceRequest } from "./idempotency-key.ts";
import type { Reply } from "../http/routing/reply.ts";
import {
  findReply,
  keepReply,
  requireRoomFor,
  tryLockKey,
  type StoredReply,
} from "./reply-store.ts";
import { openBody, sealBody } from "./sealed-body.ts";

/** How long a response can be replayed. */
export const REPLAY_MS = 86_400_000;
const REPLAYED = { "Idempotency-Replayed": "true" };

/** A response that was stored then or before is not replayed any more: its key may be used for another request. */
export function replayedSince(now: Date): Date {
  return new Date(now.getTime() - REPLAY_MS);
}

export interface OnceOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly fingerprints: Fingerprints;
  /** Called after each commit. */
  readonly onCommit?: () => void;
}

/**
 * Runs a request once per key, in a transaction that is handed to it. The response is stored in the same one, so
 * that effect and response are stored together or not at all; a refused or failed request leaves nothing
 * and may be retried.
 */
export function createOnce({ pool, clock, fingerprints, onCommit }: OnceOptions): Once {
  return (request) => async (prepare, run) => {
    if (prepare !== null && (await findReply(pool, request, replayedSince(clock.now()))) === null) {
      await prepare();
    }
    const reply = await inOpenTransaction(pool, async (tx) => {
      if (!(await tryLockKey(tx, request))) {
        throw new AppError(
          "idempotency_in_progress",
          "A request with this key is still in progress.",
        );
      }
      const now = clock.now();
      const stored = await findReply(tx, request, replayedSince(now));
      if (stored !== null) return replayOf(request, stored, fingerprints);
      const fresh = await run(tx);
      const kept = storedReply(request, fresh);
      await requireRoomFor(tx, request.owner, kept, replayedSince(now));
      const fingerprint = fingerprints.of(request.digest);
      await keepReply(tx, request, { ...kept, fingerprint, created_at: now });
      return fresh;
    });
    onCommit?.();
    return reply;
  };
}

/**
 * The stored response to the same request once more.
 * @throws `idempotency_key_reused` for another request, and for a response with a secret that another API key got
 */
export function replayOf(
  request: OnceRequest,
  stored: StoredReply,
  fingerprints: Fingerprints,
): Reply {
  if (!fingerprints.isOf(stored.fingerprint, request.digest)) {
    throw new AppError("idempotency_key_reused", "The key was used for another request.");
  }
  const { status, headers, body, is_sealed: isSealed } = stored;
  const text =
    body === null ? null : isSealed ? openBody(body, request.credential, request) : body.toString();
  if (body !== null && text === null) {
    throw new AppError("idempotency_key_reused", "The key was used with another API key.");
  }
  const replayed = { status, headers: { ...headers, ...REPLAYED } };
  return text === null ? replayed : { ...replayed, body: JSON.parse(text) as unknown };
}

/** What is stored of a response; one with a secret only its API key opens. */
export function storedReply(request: OnceRequest, reply: Reply): Omit<StoredReply, "fingerprint"> {
  const text = reply.body === undefined ? null : JSON.stringify(reply.body);
  return {
    status: reply.status,
    headers: reply.headers ?? {},
    body: text === null ? null : bytesOf(request, text),
    is_sealed: request.isSecret,
  };
}

function bytesOf(request: OnceRequest, text: string): Buffer {
  return request.isSecret ? sealBody(text, request.credential, request) : Buffer.from(text);
}
