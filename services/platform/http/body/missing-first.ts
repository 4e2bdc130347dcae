import { AppError, type ErrorCode } from "../../errors.ts";
import type { Reply } from "../routing/reply.ts";
import type { Route } from "../routing/route.ts";

/** Why a request is refused for what it holds, whatever its path names. */
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
  readonly params: unknown;
  readonly admitted: { readonly principal: P } | null;
}

/**
 * Answers a request; one that is to be refused for what it holds is `not_found` where its path names nothing. A request
 * that is served pays nothing for it.
 */
export async function missingFirst<P>(
  route: Pick<Route<P>, "find">,
  { params, admitted }: Sent<P>,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof AppError && FOR_ITS_CONTENT.has(error.code)) {
      await route.find?.({ principal: admitted?.principal ?? null, params });
    }
    throw error;
  }
}
