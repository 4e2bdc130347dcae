import type { CarrierWord } from "./carrier-word.ts";
import type { CancelCommand } from "./decide-cancel.ts";
import { decideCancel } from "./decide-cancel.ts";
import type { DocumentCheck } from "./decide-requirement.ts";
import { decideDocumentChecked, decideRequirementChanged } from "./decide-requirement.ts";
import type { OrderPatch } from "./decide-customer.ts";
import { decideDelete, decidePatch, decideSubmit } from "./decide-customer.ts";
import { decideCarrierWord } from "./decide-carrier.ts";
import type { ReviewDecision } from "./decide-review.ts";
import { decideReview } from "./decide-review.ts";
import { decideComment } from "./decide-comment.ts";
import type { LoaSigning } from "./decide-loa.ts";
import { decideLoaSigned } from "./decide-loa.ts";
import type { RequirementContent } from "../requirement/requirement.ts";
import type { Comment, DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import type { Decision } from "./story.ts";
import { add, allow, begin, change } from "./story.ts";

export type OrderCommand =
  | { readonly command: "submit" }
  | { readonly command: "delete"; readonly by: "customer" | "expiry" }
  | { readonly command: "patch"; readonly patch: OrderPatch }
  | ({ readonly command: "review" } & ReviewDecision)
  | ({ readonly command: "cancel" } & CancelCommand)
  | { readonly command: "comment"; readonly comment: Comment }
  | { readonly command: "carrier_word"; readonly word: CarrierWord }
  | { readonly command: "foc_reached"; readonly due_at: Date }
  | ({ readonly command: "document_checked" } & DocumentCheck)
  | ({ readonly command: "loa_signed" } & LoaSigning)
  | {
      readonly command: "requirement_changed";
      readonly slug: string;
      readonly content: RequirementContent;
    };

/** What a command makes of an order: the changed order with its effects in sequence, or a refusal. Pure. */
export function decide(order: Order, command: OrderCommand, context: DecisionContext): Decision {
  switch (command.command) {
    case "submit":
      return decideSubmit(order, context);
    case "delete":
      return decideDelete(order, command.by, context);
    case "patch":
      return decidePatch(order, command.patch, context);
    case "review":
      return decideReview(order, command, context);
    case "comment":
      return decideComment(order, command.comment, context);
    case "cancel":
      return decideCancel(order, command, context);
    case "carrier_word":
      return decideCarrierWord(order, command.word, context);
    case "foc_reached":
      return decideFocReached(order, command.due_at);
    case "document_checked":
      return decideDocumentChecked(order, command);
    case "loa_signed":
      return decideLoaSigned(order, command, context);
    case "requirement_changed":
      return decideRequirementChanged(order, command, context);
  }
}

/** On the confirmed date the carrier is told to activate, once per date; while a cancellation waits that is kept. */
function decideFocReached(order: Order, dueAt: Date): Decision {
  const story = begin(order);
  const current = order.foc_actual !== null && Date.parse(order.foc_actual) === dueAt.getTime();
  if (!current) return allow(story);
  const { status, cancel } = order;
  if (status === "cancel_pending" && cancel !== null) {
    return allow(change(story, { cancel: { ...cancel, date_came: true } }));
  }
  if (status !== "foc_scheduled") return allow(story);
  return allow(add(story, { effect: "carrier_task", kind: "activate" }));
}
