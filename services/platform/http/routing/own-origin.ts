import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a browser sent the request from a page of ours: the origin is that of the public URL, or that of the host
 * which the request names. A request without `Origin` is not.
 */
export function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl = ""): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  const sent = new URL(origin);
  if (publicUrl !== "" && sent.origin === new URL(publicUrl).origin) return true;
  return sent.host === host?.toLowerCase();
}
