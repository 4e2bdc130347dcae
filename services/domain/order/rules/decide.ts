import type { StatusUpdate } from "./status-update.ts";
import { decideCancel, type CancelCommand } from "./decide-cancel.ts";
import { decideDeadline, type DeadlineCommand } from "./decide-deadline.ts";
import {
  decideDocumentChecked,
  decideRequirementChanged,
  type DocumentCheck,
} from "./decide-requirement.ts";
import { decideDelete, decidePatch, decideSubmit, type OrderPatch } from "./decide-customer.ts";
import { decideStatusUpdate } from "./decide-status-update.ts";
import { decideReview, type ReviewDecision } from "./decide-review.ts";
import { decideComment } from "./decide-comment.ts";
import { decideLoaSigned, type LoaSigning } from "./decide-loa.ts";
import type { RequirementContent } from "../../requirement/rules/requirement.ts";
import type { Comment, DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import { allow, type Decision } from "./order-decision.ts";
import { withWaits } from "./waits.ts";

export type OrderCommand =
  | { readonly command: "submit" }
  | { readonly command: "delete"; readonly by: "customer" | "expiry" }
  | { readonly command: "patch"; readonly patch: OrderPatch }
  | ({ readonly command: "review" } & ReviewDecision)
  | ({ readonly command: "cancel" } & CancelCommand)
  | { readonly command: "comment"; readonly comment: Comment }
  | { readonly command: "status_update"; readonly update: StatusUpdate }
  | DeadlineCommand
  | ({ readonly command: "document_checked" } & DocumentCheck)
  | ({ readonly command: "loa_signed" } & LoaSigning)
  | {
      readonly command: "requirement_changed";
      readonly slug: string;
      readonly content: RequirementContent;
    };

/** Decides a command on an order: the changed order with its effects in sequence, or a refusal. A pure function. */
export function decide(order: Order, command: OrderCommand, context: DecisionContext): Decision {
  const decision = outcomeOf(order, command, context);
  if (!decision.allowed) return decision;
  return allow(withWaits(decision, { before: order, command, ...context }));
}

function outcomeOf(order: Order, command: OrderCommand, context: DecisionContext): Decision {
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
    case "status_update":
      return decideStatusUpdate(order, command.update, context);
    case "draft_expiry":
    case "rejection_expiry":
    case "foc_reached":
    case "foc_grace":
    case "carrier_silence":
      return decideDeadline(order, command, context);
    case "document_checked":
      return decideDocumentChecked(order, command);
    case "loa_signed":
      return decideLoaSigned(order, command, context);
    case "requirement_changed":
      return decideRequirementChanged(order, command, context);
  }
}
