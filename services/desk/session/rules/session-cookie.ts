/** The prefix makes browsers keep it for this host alone, and take it over TLS or from loopback alone. */
export const SESSION_COOKIE = "__Host-desk";

const ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Strict";

/** It has no end of its own: the server ends the session, and browsers forget it when they close. */
export function sessionCookie(session: string): Readonly<Record<string, string>> {
  return { "Set-Cookie": `${SESSION_COOKIE}=${session}; ${ATTRIBUTES}` };
}

export const NO_SESSION_COOKIE: Readonly<Record<string, string>> = {
  "Set-Cookie": `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`,
};
