import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import { useCallback, useEffect, useRef } from "react";
import { useToasts } from "../toasts.tsx";
import { once, unansweredOf, type Command, type Unanswered } from "./request.ts";

export type { Command };

interface CommandOptions {
  /** Subjects (the first part of a query's key) that are fetched again after a command, even where its dialog has closed. */
  readonly refreshes?: readonly string[];
  /** The draft that is sent, which outlives the dialog that it is written in. */
  readonly draft?: string;
}

/** What follows a command. */
interface Ending<Answer> {
  /** Wherever the person is by then. */
  readonly onDone?: (answer: Answer) => void;
  /** After `onDone`, where the page or dialog that sent it is still shown: what closes it or leads on. */
  readonly whileShown?: (answer: Answer) => void;
  /** Where it is not given, `error` is to be shown, and a toast reports what fails after the person has left. */
  readonly onFailed?: (error: unknown) => void;
}

type CommandResult<Answer> = UseMutationResult<Answer, Error, Command> & {
  readonly run: (command: Command, ending?: Ending<Answer>) => void;
};

/**
 * Sends commands, each under an Idempotency-Key of its own. What is sent again because no answer came has the same
 * key, so that it happens once.
 */
export function useCommand<Answer>(options: CommandOptions = {}): CommandResult<Answer> {
  const { refreshes = [], draft } = options;
  const client = useQueryClient();
  const toasts = useToasts();
  const isShown = useIsShown();
  const own = useRef<Unanswered["current"]>(null);
  const unanswered = draft === undefined ? own : unansweredOf(draft);
  const mutation = useMutation({
    mutationFn: (command: Command) => once<Answer>(command, unanswered),
    // Not awaited: the answer, or the error, is shown while they are fetched.
    onSettled: () => {
      for (const subject of refreshes) void client.invalidateQueries({ queryKey: [subject] });
    },
  });
  const run = (command: Command, { onDone, whileShown, onFailed }: Ending<Answer> = {}): void => {
    mutation.mutateAsync(command).then(
      (answer) => {
        onDone?.(answer);
        if (isShown()) whileShown?.(answer);
      },
      (error: unknown) => {
        if (onFailed !== undefined) onFailed(error);
        else if (!isShown()) toasts.failed(error);
      },
    );
  };
  return { ...mutation, run };
}

/** Asks whether the page or dialog is still shown: false as soon as the person has left it, so that a late answer neither leads away from where they are, nor closes what they opened since. */
export function useIsShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useCallback(() => isShown.current, []);
}
