import {
  deskExceptions,
  requirementUpdate,
} from "../../../../domain/order/rules/desk-exceptions.ts";
import type { OrderException, OrderStatus } from "../../../../domain/order/rules/order.ts";
import type { DraftVerdict } from "../drafts/draft.ts";

/** What the customer receives and reads once the verdicts are sent, by the rules that the service follows. */
export interface Preview {
  /** In the order in which they are sent. */
  readonly events: readonly { readonly type: string; readonly payload: unknown }[];
  readonly exceptions: readonly OrderException[];
  /** The order's next status. */
  readonly status: OrderStatus;
}

export function previewOf(
  orderId: string,
  verdicts: readonly DraftVerdict[],
  raisedAt: string,
): Preview {
  const exceptions = deskExceptions(verdicts, raisedAt);
  const status: OrderStatus = exceptions.length > 0 ? "rejection" : "submitted";
  const updates = verdicts.map(({ slug, decision, reason }) => ({
    type: "porting_order.requirement_updated",
    payload: withoutNull(
      requirementUpdate(orderId, {
        slug,
        status: decision === "reject" ? "requirement-info-exception" : "approved",
        reason: decision === "reject" ? reason : null,
      }),
    ),
  }));
  const moved = {
    type: "porting_order.status_changed",
    payload: { previous_status: "in_review", new_status: status },
  };
  return { events: [...updates, moved], exceptions, status };
}

/** An event has no reason where there is none. */
function withoutNull({ requirement, ...update }: ReturnType<typeof requirementUpdate>) {
  const { reason, ...rest } = requirement;
  return { ...update, requirement: reason === null ? rest : { ...rest, reason } };
}
