import type { Database } from "../../db/transaction.ts";
import { AppError, type ErrorCode } from "../../errors.ts";
import type { Reply } from "../routing/reply.ts";
import type { Route } from "../routing/route.ts";

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
