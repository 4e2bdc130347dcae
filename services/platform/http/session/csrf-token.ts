import { createHash, timingSafeEqual } from "node:crypto";

/**
 * What a page must send beside the cookie that it cannot read. It follows from the cookie, so that there is nothing to
 * store, it ends with the session, and one page's is worth nothing to another session.
 */
export function csrfTokenOf(session: string): string {
  return createHash("sha256").update(`csrf of ${session}`).digest("base64url");
}

export function isCsrfToken(sent: unknown, expected: string): boolean {
  if (typeof sent !== "string") return false;
  const [given, right] = [Buffer.from(sent), Buffer.from(expected)];
  return given.length === right.length && timingSafeEqual(given, right);
}
