import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Pool } from "pg";
import type { Database } from "../db/transaction.ts";
import { AppError } from "../errors.ts";
import { UUID_PATTERN } from "../ids.ts";
import type { Reply } from "../http/routing/reply.ts";
import type { Method } from "../http/routing/route.ts";

/** A request whose effect must happen only once. */
export interface OnceRequest {
  /** The owner of the key: two owners may use the same key. */
  readonly owner: string;
  readonly key: string;
  /** What `digestOf` makes of the request. */
  readonly digest: Buffer;
  /** The API key that authenticated the request. */
  readonly credential: string;
  /** The response contains a secret. */
  readonly isSecret: boolean;
}

/** Prepares a request outside of any transaction, then runs it in the database that it is handed. */
export type RunOnce = (
  prepare: (() => Promise<void>) | null,
  run: (db: Database) => Promise<Reply>,
) => Promise<Reply>;

/** Runs a request, or replays the stored response to the same request without preparing it. */
export type Once = (request: OnceRequest) => RunOnce;

/** Without a key every request runs, and what it begins is a transaction of its own. */
export function runEachTime(pool: Pool): RunOnce {
  return async (prepare, run) => {
    if (prepare !== null) await prepare();
    return run(pool);
  };
}

const WITH_KEY: ReadonlySet<Method> = new Set<Method>(["POST", "PATCH"]);
const KEY = /^[\x21-\x7e]{1,255}$/;
const NAME = "Idempotency-Key";

/**
 * The idempotency key of a POST or PATCH; null if it has none, and for other methods. @throws
 * `invalid_header`
 */
export function readIdempotencyKey(request: IncomingMessage, method: Method): string | null {
  const sent = request.headers["idempotency-key"];
  if (sent === undefined || !WITH_KEY.has(method)) return null;
  if (typeof sent === "string" && KEY.test(sent)) return sent;
  const detail = "It must be 1 to 255 visible ASCII characters.";
  throw new AppError("invalid_header", `${NAME}: ${detail}`, {
    faults: [{ header: NAME, code: "invalid_format", detail }],
  });
}

/** What makes two requests the same. */
export interface ComparedRequest {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  /** The parsed body; a file in it is represented by its `sha256`. */
  readonly body: unknown;
}

const UUIDS = new RegExp(UUID_PATTERN, "gi");

/**
 * SHA-256 over method, path, query and body. It is never stored: whoever reads it finds a PIN in the body by trying all;
 * see `createFingerprints`.
 */
export function digestOf({ method, path, search, body }: ComparedRequest): Buffer {
  // An id in capitals is that id.
  const normalized = path.replace(UUIDS, (id) => id.toLowerCase());
  const text = JSON.stringify([method, normalized, search, canonical(body)]);
  return createHash("sha256").update(text).digest();
}

/** Normalizes the order of properties, and replaces bytes and a received file by their hash. */
function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (value instanceof Uint8Array) {
    return { sha256: createHash("sha256").update(value).digest("hex") };
  }
  if (Array.isArray(value)) return value.map(canonical);
  if ("sha256" in value && "head" in value) return { sha256: value.sha256 };
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, canonical(inner)]),
  );
}
