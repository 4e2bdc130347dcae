import type { IncomingMessage } from "node:http";
import { AppError } from "../errors.ts";
import type { Reply } from "../http/routing/reply.ts";
import type { Method } from "../http/routing/route.ts";
import type { Fingerprints } from "./fingerprint.ts";

/** A request whose effect must happen only once. */
export interface OnceRequest {
  /** The owner of the key: two owners may use the same key. */
  readonly owner: string;
  readonly key: string;
  readonly fingerprints: Fingerprints;
  /** The API key that authenticated the request. */
  readonly credential: string;
  /** The response contains a secret. */
  readonly isSecret: boolean;
}

/** Prepares a request outside of any transaction, then runs it. */
export type RunOnce = (
  prepare: (() => Promise<void>) | null,
  run: () => Promise<Reply>,
) => Promise<Reply>;

/** Runs a request, or replays the stored response to the same request without preparing it. */
export type Once = (request: OnceRequest) => RunOnce;

/** Without a key every request runs. */
export const runEachTime: RunOnce = async (prepare, run) => {
  if (prepare !== null) await prepare();
  return run();
};

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
