import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Problem } from "../../ui/http/problem.ts";
import { SESSION_KEY } from "./session.ts";

/** Asks who is signed in as soon as any request is refused for want of a session, so that signing in is offered. */
export function useSessionEnd(): void {
  const client = useQueryClient();
  useEffect(() => {
    const stops = [
      client.getQueryCache().subscribe(({ query }) => check(client, query.state.error)),
      client.getMutationCache().subscribe(({ mutation }) => check(client, mutation?.state.error)),
    ];
    return () => stops.forEach((stop) => stop());
  }, [client]);
}

const seen = new WeakSet<Problem>();

function check(client: QueryClient, error: unknown): void {
  if (!(error instanceof Problem) || error.status !== 401 || seen.has(error)) return;
  seen.add(error);
  void client.invalidateQueries({ queryKey: SESSION_KEY });
}
