import { call, textOf, type Answer, type Call } from "../http/call.ts";

/** A session of the desk's console, as a browser has it. */
export interface DeskSession {
  /** `__Host-desk=…`. */
  readonly cookie: string;
  readonly csrf: string;
  readonly expiresAt: Date;
  /** As the console's page asks: with the cookie, the desk's own `Origin` and `Desk-CSRF`, unless given otherwise. */
  readonly ask: (path: string, options?: Call) => Promise<Answer>;
}

export function postToken(
  deskUrl: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(`${deskUrl}/desk/v1/session`, { method: "POST", body: { token }, headers });
}

/** Signs in by an operator's token. */
export async function signIn(
  deskUrl: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<DeskSession> {
  const answer = await postToken(deskUrl, token, headers);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const cookie = cookieOf(answer);
  const csrf = textOf(answer, "csrf");
  return {
    cookie,
    csrf,
    expiresAt: new Date(textOf(answer, "expires_at")),
    ask: (path, options = {}) => {
      const own = { Cookie: cookie, Origin: deskUrl, "Desk-CSRF": csrf, ...options.headers };
      return call(`${deskUrl}/desk/v1${path}`, { ...options, headers: own });
    },
  };
}

/** The name and value of the cookie that an answer sets. */
export function cookieOf(answer: Answer): string {
  const [cookie = ""] = (answer.headers.getSetCookie()[0] ?? "").split(";");
  return cookie;
}
