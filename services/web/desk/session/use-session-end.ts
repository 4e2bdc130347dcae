import type { Problem } from "../../ui/http/problem.ts";
import { useRefusals, type OnRefused } from "../../ui/http/use-refusals.ts";
import { SESSION_KEY } from "./session.ts";

/** Asks who is signed in as soon as any request is refused for want of a session, so that signing in is offered. */
export function useSessionEnd(): void {
  useRefusals(askWhoIsSignedIn);
}

const seen = new WeakSet<Problem>();

const askWhoIsSignedIn: OnRefused = (client, refusal) => {
  if (seen.has(refusal)) return;
  seen.add(refusal);
  void client.invalidateQueries({ queryKey: SESSION_KEY });
};
