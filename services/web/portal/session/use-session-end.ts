import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Problem } from "../../ui/http/problem.ts";
import { SESSION_KEY } from "./session.ts";

/** Whatever is refused with 401 tells that the session has ended; the page says so in place of an error. */
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

function check(client: QueryClient, error: unknown): void {
  const hasEnded = error instanceof Problem && error.status === 401;
  if (hasEnded && client.getQueryData(SESSION_KEY) !== null) client.setQueryData(SESSION_KEY, null);
}
