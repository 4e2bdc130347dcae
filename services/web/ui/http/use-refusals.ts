import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Problem } from "./problem.ts";

/** What a page does where any request is refused with 401; called again while the refusal is shown. */
export type OnRefused = (client: QueryClient, refusal: Problem) => void;

/** `onRefused` is the same function at every rendering. */
export function useRefusals(onRefused: OnRefused): void {
  const client = useQueryClient();
  useEffect(() => {
    const check = (error: unknown): void => {
      if (error instanceof Problem && error.status === 401) onRefused(client, error);
    };
    const stops = [
      client.getQueryCache().subscribe(({ query }) => check(query.state.error)),
      client.getMutationCache().subscribe(({ mutation }) => check(mutation?.state.error)),
    ];
    return () => stops.forEach((stop) => stop());
  }, [client, onRefused]);
}
