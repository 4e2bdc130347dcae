import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { z } from "zod";
import type { linkAnswer, openSessionAnswer } from "../../services/api/portal/routes.ts";
import { useRefusals, type OnRefused } from "../ui/http/read.ts";
import { Problem, proveBy, request } from "../ui/http/request.ts";

/** The session of this browser (docs/contract/customer-api.md, Portal). */
type Session = z.infer<typeof openSessionAnswer>;

const PATH = "/portal/session";
const SESSION_KEY = ["session"] as const;

function prove(session: Session): Session {
  proveBy({ "Portal-CSRF": session.csrf });
  return session;
}

/** The session; null where there is none, or none any longer. */
export function useSession() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: 60_000 });
}

async function readSession(): Promise<Session | null> {
  try {
    return prove(await request<Session>("GET", PATH));
  } catch (error) {
    if (error instanceof Problem && error.status === 401) return null;
    throw error;
  }
}

/** Exchanges the link for a cookie. */
export function useOpenLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (link: string) =>
      prove(await request<Session>("POST", PATH, { body: { link } })),
    onSuccess: (session) => {
      client.clear();
      client.setQueryData(SESSION_KEY, session);
    },
  });
}

type LinkAnswer = z.infer<typeof linkAnswer>;

/** Whose a link is, before it is opened; it is not asked again. */
export function useLink(link: string) {
  return useQuery({
    queryKey: ["link", link],
    queryFn: () => request<LinkAnswer>("POST", `${PATH}/look`, { body: { link } }),
    enabled: link !== "",
    staleTime: Infinity,
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request("DELETE", PATH),
    // A session that could not be ended goes on, and the page says so.
    onSuccess: () => {
      client.clear();
      // What was typed and not saved.
      sessionStorage.clear();
      client.setQueryData(SESSION_KEY, null);
    },
  });
}

export const SessionContext = createContext<Session | null>(null);

/** The session, below the opened link. */
export function useOpenSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("No link has been opened.");
  return session;
}

/** Whatever is refused with 401 tells that the session has ended; the page says so in place of an error. */
export function useSessionEnd(): void {
  useRefusals(endSession);
}

const endSession: OnRefused = (client) => {
  if (client.getQueryData(SESSION_KEY) !== null) client.setQueryData(SESSION_KEY, null);
};
