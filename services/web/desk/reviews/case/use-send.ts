import { useQueryClient } from "@tanstack/react-query";
import { useCommand } from "../../../ui/http/use-command.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import type { Draft } from "../drafts/draft.ts";
import { caseKey, PATH, QUEUE_KEY } from "../queries.ts";
import { sendableOf } from "../rules/sendable.ts";
import type { ReviewCase } from "../types.ts";

interface Sent {
  /** After the service has taken the decision. */
  readonly onSent: () => void;
}

/** Sends the whole draft as one decision; what fails leaves the draft as it is. */
export function useSend(review: ReviewCase, draft: Draft, { onSent }: Sent) {
  const client = useQueryClient();
  const toasts = useToasts();
  const command = useCommand<ReviewCase>();
  const sendable = sendableOf(review, draft);
  const { order_id: id } = review;
  const send = (): void => {
    if (command.isPending) return;
    if (sendable.kind === "incomplete") {
      const names = sendable.undecided.join(", ");
      toasts.notDone("Not sent yet", `Without a verdict: ${names}.`);
      return;
    }
    const { kind, body } = sendable;
    command.mutate(
      { path: `${PATH}/${id}/decision`, body },
      {
        onSuccess: (decided) => {
          client.setQueryData(caseKey(id), decided);
          void client.invalidateQueries({ queryKey: QUEUE_KEY });
          toasts.done(kind === "confirm" ? "Sent to the carrier" : "Returned to the customer");
          onSent();
        },
        onError: (error) => {
          toasts.failed(error);
          void client.invalidateQueries({ queryKey: caseKey(id) });
        },
      },
    );
  };
  return { sendable, send, isBusy: command.isPending };
}
