import type { IncomingMessage } from "node:http";
import { createHash, timingSafeEqual } from "node:crypto";

const TOKEN = /^[A-Za-z0-9._~+/=-]{1,256}$/;
const BEARER = /^bearer +([^ ]+)$/i;

/**
 * The key of a request, from `Authorization: Bearer` or `X-API-Key`. Null if there is none, more than
 * one, or a malformed one; the caller cannot tell which.
 */
export function readCredential(
  request: Pick<IncomingMessage, "headers" | "rawHeaders">,
): string | null {
  const authorization = request.headers.authorization;
  const apiKey = request.headers["x-api-key"];
  if (authorization === undefined && apiKey === undefined) return null;
  if (hasDuplicate(request.rawHeaders)) return null;
  const bearer = authorization === undefined ? undefined : (BEARER.exec(authorization)?.[1] ?? "");
  const key = bearer ?? apiKey;
  if (typeof key !== "string" || !TOKEN.test(key)) return null;
  return apiKey === undefined || apiKey === key ? key : null;
}

/** Node drops a second Authorization silently, so the raw list is counted. */
function hasDuplicate(rawHeaders: readonly string[]): boolean {
  let authorizations = 0;
  let apiKeys = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    if (name.length === 13 && name.toLowerCase() === "authorization") authorizations += 1;
    else if (name.length === 9 && name.toLowerCase() === "x-api-key") apiKeys += 1;
  }
  return authorizations > 1 || apiKeys > 1;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Where a service's pages are reached: by its public URL, or, without one, by the host that the request names. */
interface OwnAddress {
  /** Empty where none is configured. */
  readonly publicUrl: string;
  readonly host: string | undefined;
}

/**
 * Whether an `Origin` is the service's own. Ports count, because cookies do not distinguish the ports of a host. A public URL
 * on loopback, which has several names, does not say by which of them the browser came: then the host counts.
 */
export function isOwnOrigin(origin: string, { publicUrl, host = "" }: OwnAddress): boolean {
  if (!URL.canParse(origin)) return false;
  const sent = new URL(origin);
  if (sent.origin !== origin) return false;
  const own = URL.canParse(publicUrl) ? new URL(publicUrl) : null;
  if (own !== null && !LOOPBACK.test(own.hostname)) return sent.origin === own.origin;
  const named = `${sent.protocol}//${host}`;
  return URL.canParse(named) && new URL(named).origin === sent.origin;
}

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
