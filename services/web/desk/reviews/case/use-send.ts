import { useQueryClient } from "@tanstack/react-query";
import { useCommand } from "../../../ui/http/use-command.ts";
import { useToasts } from "../../../ui/toasts.tsx";
import type { Draft } from "../drafts/draft.ts";
import { caseKey, PATH, QUEUE_KEY } from "../queries.ts";
import type { useNextCase } from "../queue/use-next-case.ts";
import { sendableOf, type Sendable } from "../rules/sendable.ts";
import { orderTitle } from "../labels.ts";
import type { ReviewCase } from "../types.ts";
import { useIsShown } from "../../../ui/use-is-shown.ts";

interface Sending {
  /** Claimed beside the decision, so that it is on screen as soon as this one is decided. */
  readonly next: ReturnType<typeof useNextCase>;
  /** After the service has taken the decision. */
  readonly onSent: () => void;
}

type Complete = Exclude<Sendable, { readonly kind: "incomplete" }>;

/** Sends the whole draft as one decision; what fails leaves the draft as it is. */
export function useSend(review: ReviewCase, draft: Draft, { next, onSent }: Sending) {
  const client = useQueryClient();
  const toasts = useToasts();
  const command = useCommand<ReviewCase>();
  const isShown = useIsShown();
  const sendable = sendableOf(review, draft);
  const { order_id: id } = review;
  const sendAndGoOn = async ({ kind, body }: Complete): Promise<void> => {
    const claiming = next.claim();
    try {
      const decided = await command.mutateAsync({ path: `${PATH}/${id}/decision`, body });
      const title = orderTitle(id, review.order.customer_reference);
      const sent = kind === "confirm" ? "Sent to the carrier" : "Returned to the customer";
      toasts.replaced("decision", sent, title);
      const following = await claiming;
      client.setQueryData(caseKey(id), decided);
      void client.invalidateQueries({ queryKey: QUEUE_KEY });
      onSent();
      if (isShown()) next.show(following);
      else next.giveBack(following);
    } catch (error) {
      toasts.failed(error);
      void client.invalidateQueries({ queryKey: caseKey(id) });
      next.giveBack(await claiming);
    }
  };
  const send = (): void => {
    if (command.isPending || next.isBusy) return;
    if (sendable.kind === "incomplete") {
      const names = sendable.undecided.join(", ");
      toasts.notDone("Not sent yet", `Without a verdict: ${names}.`);
      return;
    }
    void sendAndGoOn(sendable);
  };
  return { sendable, send, isBusy: command.isPending || next.isBusy };
}
