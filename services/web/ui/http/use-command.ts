import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useRef } from "react";
import { Problem } from "./problem.ts";
import { request, type Method } from "./request.ts";

export interface Command {
  readonly path: string;
  readonly method?: Method;
  readonly body?: unknown;
}

interface CommandOptions {
  /** Subjects (the first part of a query's key) that are fetched again after a command, even where its dialog has closed. */
  readonly refreshes?: readonly string[];
}

/**
 * Sends commands, each under an Idempotency-Key of its own. What is sent again because no answer came has the same
 * key, so that it happens once.
 */
export function useCommand<Answer>({ refreshes = [] }: CommandOptions = {}): UseMutationResult<
  Answer,
  Error,
  Command
> {
  const client = useQueryClient();
  const unanswered = useRef<{ readonly text: string; readonly key: string } | null>(null);
  return useMutation({
    mutationFn: async ({ path, method = "POST", body = {} }: Command) => {
      // A file's content is not compared, so that another file is never sent under the same key.
      const content = body instanceof FormData ? crypto.randomUUID() : JSON.stringify(body);
      const text = `${method} ${path} ${content}`;
      const before = unanswered.current;
      const key = before?.text === text ? before.key : crypto.randomUUID();
      unanswered.current = { text, key };
      try {
        const sent = method === "DELETE" ? {} : { body, idempotencyKey: key };
        const answer = await request<Answer>(method, path, sent);
        unanswered.current = null;
        return answer;
      } catch (error) {
        if (error instanceof Problem && error.status > 0 && error.status < 500) {
          unanswered.current = null;
        }
        throw error;
      }
    },
    // Not awaited: the answer, or the error, is shown while they are fetched.
    onSettled: () => {
      for (const subject of refreshes) void client.invalidateQueries({ queryKey: [subject] });
    },
  });
}
