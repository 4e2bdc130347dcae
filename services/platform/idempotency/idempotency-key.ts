import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AppError } from "../errors.ts";
import type { Reply } from "../http/routing/reply.ts";
import type { Method } from "../http/routing/route.ts";

/** A request that is to have its effect once. */
export interface OnceRequest {
  /** Whose keys they are: two owners may use the same. */
  readonly owner: string;
  readonly key: string;
  /** SHA-256 over method, path, query and body: the same request has the same. */
  readonly fingerprint: Buffer;
  /** The API key that it came with. */
  readonly credential: string;
  /** The answer shows a secret. */
  readonly isSecret: boolean;
}

/** Runs a request, or replays what the same one was answered before. */
export type Once = (request: OnceRequest, run: () => Promise<Reply>) => Promise<Reply>;

const WITH_KEY: ReadonlySet<Method> = new Set<Method>(["POST", "PATCH"]);
const KEY = /^[\x21-\x7e]{1,255}$/;
const NAME = "Idempotency-Key";

/** The key of a POST or PATCH; null where it has none, and for every other method. @throws `invalid_header` */
export function readIdempotencyKey(request: IncomingMessage, method: Method): string | null {
  const sent = request.headers["idempotency-key"];
  if (sent === undefined || !WITH_KEY.has(method)) return null;
  if (typeof sent === "string" && KEY.test(sent)) return sent;
  const detail = "It must be 1 to 255 visible ASCII characters.";
  throw new AppError("invalid_header", `${NAME}: ${detail}`, {
    faults: [{ header: NAME, code: "invalid_format", detail }],
  });
}

export interface Fingerprinted {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  /** The parsed body; a file in it counts by its `sha256`. */
  readonly body: unknown;
}

export function fingerprintOf({ method, path, search, body }: Fingerprinted): Buffer {
  const text = JSON.stringify([method, path, search, canonical(body)]);
  return createHash("sha256").update(text).digest();
}

/** The same value whatever the order of properties; of a received file, its hash alone. */
function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(canonical);
  if ("sha256" in value && "head" in value) return { sha256: value.sha256 };
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, canonical(inner)]),
  );
}
