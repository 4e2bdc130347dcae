import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import {
  includesRole,
  type OperatorRole,
} from "../../services/domain/account/rules/operator-role.ts";
import { Problem, proveBy, request } from "../ui/http/request.ts";

/** The person who is signed in (docs/contract/desk-api.md, GET /me). */
export interface Operator {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
}

interface Me extends Operator {
  readonly csrf?: string;
}

export const SESSION_KEY = ["session"] as const;

const KEPT = "signed-in";

/** Whether somebody was signed in when this browser was last here; the cookie itself cannot be read. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(KEPT) !== null;
}

function keepSignedIn(isSignedIn: boolean): void {
  if (isSignedIn) localStorage.setItem(KEPT, "");
  else localStorage.removeItem(KEPT);
}

const DRAFTS_OF = "drafts-of";

/** A tab's drafts are of one operator: they stay over a session's end, and go where another signs in. */
function keepDraftsOf(operatorId: string): void {
  const before = sessionStorage.getItem(DRAFTS_OF);
  if (before !== null && before !== operatorId) sessionStorage.clear();
  sessionStorage.setItem(DRAFTS_OF, operatorId);
}

/** The operator of the session; null where nobody is signed in. */
export function useSession() {
  return useQuery({ queryKey: SESSION_KEY, queryFn: readSession, staleTime: Infinity });
}

async function readSession(): Promise<Operator | null> {
  try {
    const { csrf, ...operator } = await request<Me>("GET", "/desk/v1/me");
    if (csrf !== undefined) proveBy({ "Desk-CSRF": csrf });
    keepSignedIn(true);
    keepDraftsOf(operator.id);
    return operator;
  } catch (error) {
    if (!(error instanceof Problem && error.status === 401)) throw error;
    keepSignedIn(false);
    return null;
  }
}

interface Started {
  readonly operator: Operator;
  readonly csrf: string;
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (token: string) =>
      request<Started>("POST", "/desk/v1/session", { body: { token: token.trim() } }),
    onSuccess: ({ operator, csrf }) => {
      proveBy({ "Desk-CSRF": csrf });
      keepSignedIn(true);
      keepDraftsOf(operator.id);
      client.setQueryData(SESSION_KEY, operator);
    },
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request("DELETE", "/desk/v1/session"),
    // A session that could not be ended goes on, and the page says so.
    onSuccess: () => {
      keepSignedIn(false);
      client.setQueryData(SESSION_KEY, null);
      // The session's own query stays, which the page follows.
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
    },
  });
}

export const OperatorContext = createContext<Operator | null>(null);

/** The operator, below the sign-in. */
export function useOperator(): Operator {
  const operator = useContext(OperatorContext);
  if (operator === null) throw new Error("Nobody is signed in.");
  return operator;
}

/** Whether the operator's role is `least` or includes it; what may not be done has no button. */
export function useMay(least: OperatorRole): boolean {
  return includesRole(useOperator().role, least);
}
