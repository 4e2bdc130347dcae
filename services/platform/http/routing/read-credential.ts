import type { IncomingMessage } from "node:http";

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
