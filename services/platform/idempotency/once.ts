import type { Pool } from "pg";
import { hkdfSync } from "node:crypto";
import type { Clock } from "../clock.ts";
import { inOpenTransaction } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import type { Reply } from "../http/routing/reply.ts";
import { createSecretBox, type SecretBox } from "../secret-box.ts";
import type { Fingerprints } from "./fingerprints.ts";
import type { Once, OnceRequest } from "./idempotency-key.ts";
import {
  findReply,
  storeReply,
  requireRoomFor,
  tryLockKey,
  type ReplyAddress,
  type StoredReply,
} from "./reply-store.ts";

const KEY_BYTES = 32;
const KEY_ID_LENGTH = 8;

/** A box that only the holder of the API key can open: the stored hash of the key is not enough. */
function boxOf(credential: string): SecretBox {
  const key = hkdfSync("sha256", credential, "", "idempotent answer", KEY_BYTES);
  return createSecretBox([Buffer.from(key)]);
}

function aadOf({ owner, key }: ReplyAddress): string {
  return `${owner} ${key}`;
}

/** Seals a response that contains a secret under the API key of its request. */
function sealBody(text: string, credential: string, address: ReplyAddress): Buffer {
  const { bytes, keyId } = boxOf(credential).seal(text, aadOf(address));
  return Buffer.concat([Buffer.from(keyId, "latin1"), bytes]);
}

/** Null if the request uses another key of the account. */
function openBody(sealed: Buffer, credential: string, address: ReplyAddress): string | null {
  const keyId = sealed.subarray(0, KEY_ID_LENGTH).toString("latin1");
  const bytes = sealed.subarray(KEY_ID_LENGTH);
  try {
    return boxOf(credential).open({ bytes, keyId }, aadOf(address));
  } catch {
    // Another API key's box does not know the key id.
    return null;
  }
}

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
      const toStore = storedReply(request, fresh);
      await requireRoomFor(tx, request.owner, toStore, replayedSince(now));
      const fingerprint = fingerprints.of(request.digest);
      await storeReply(tx, request, { ...toStore, fingerprint, created_at: now });
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
