import type { Bus } from "../../messages/bus/bus.ts";
import type { RequirementDecision, ReviewResult } from "../../messages/generated/review-result.ts";
import { following, type MessageWriter } from "../../messages/bus/outgoing.ts";
import type { TogetherHandler } from "../../messages/bus/once-together.ts";
import { isFinal, type RequirementVerdict } from "../../domain/order/rules/decide-review.ts";
import { applyToOrder } from "../../domain/order/store/order-commands.ts";
import { lockNamedOrders, type LockedOrders } from "../../domain/order/store/locked-orders.ts";
import { SYSTEM_ACTOR, type Actor, type Order } from "../../domain/order/rules/order.ts";
import { isUnderReview } from "../../domain/order/rules/status-facts.ts";
import { noteSuperseded } from "../../domain/order/store/timeline.ts";
import { findDecision, settleCase } from "../../domain/review/store/cases.ts";
import { isSameDecision, type DeskDecision } from "../../domain/review/rules/review-case.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { isUuid } from "../../platform/ids.ts";
import type { Received } from "../../platform/kafka/handle-batch.ts";

/** Applies a document check or a decision of the desk to its order. */
export function onReviewResult(bus: Bus): TogetherHandler<ReviewResult, LockedOrders> {
  return {
    lock: (tx, results) =>
      lockNamedOrders(
        tx,
        results.map((one) => one.order_id),
      ),
    handle: async ({ tx, locked }, { message, raw }) => {
      const order = locked.find(message.order_id);
      if (order === null) {
        throw new AppError("unknown_order", `There is no order ${message.order_id}.`);
      }
      const writer = { ...following(bus, raw), tx };
      const now = bus.clock.now();
      locked.update(await apply(writer, order, { message, raw, now }));
    },
  };
}

/** The order as it then is. */
async function apply(
  writer: MessageWriter,
  order: Order,
  { message, raw, now }: ReceivedResult & Pick<Received<ReviewResult>, "raw">,
): Promise<Order> {
  switch (message.kind) {
    case "decided": {
      const decision = await storedDecision(writer.tx, message, raw.messageId);
      return applyDecision(writer, order, { decision, now });
    }
    case "document_checked":
      return applyCheck(writer, order, { message, now });
    case "unrecognized":
      throw new AppError("rule_broken", "This version does not know the kind.");
  }
}

interface ReceivedResult {
  readonly message: ReviewResult;
  readonly now: Date;
}

/**
 * The decision that the message reports. Anybody may have written the message, so the desk's own record must hold the
 * same decision, and the message-id must be the decision's, so that the inbox lets it take effect once.
 * @throws `unknown_decision`
 */
export async function storedDecision(
  tx: Queryable,
  message: ReviewResult,
  messageId: string,
): Promise<DeskDecision> {
  const { decision_id: id, order_id, attempt } = message;
  const reported = {
    order_id,
    attempt,
    operator_id: message.operator_id ?? "",
    decisions: (message.decisions ?? []).map(verdictOf),
    confirm: message.confirm ?? false,
  };
  const isNamed = id !== null && isUuid(id) && id === messageId;
  const stored = isNamed ? await findDecision(tx, id) : null;
  if (stored === null || !isSameDecision(stored, reported)) {
    throw new AppError("unknown_decision", "The desk has not recorded this decision.");
  }
  return stored;
}

interface AppliedDecision {
  readonly decision: DeskDecision;
  readonly now: Date;
}

/** If the order has left that review since, the decision is superseded: a timeline entry without an event. */
async function applyDecision(
  writer: MessageWriter,
  order: Order,
  { decision, now }: AppliedDecision,
): Promise<Order> {
  const { attempt, decisions, confirm } = decision;
  const key = { orderId: order.id, attempt };
  if (!isUnderReview(order, attempt)) {
    await settleCase(writer.tx, key, "superseded");
    await noteSuperseded(writer.tx, order, { attempt, now });
    return order;
  }
  const actor: Actor = { type: "desk", id: decision.operator_id, name: null };
  const review = { command: "review", attempt, decisions, confirm } as const;
  const reviewed = await applyToOrder(writer, order, { command: review, actor, now });
  // Approvals that leave the case open are followed by the decision that settles it.
  if (isFinal(review)) await settleCase(writer.tx, key, "applied");
  return reviewed;
}

function verdictOf(decided: RequirementDecision): RequirementVerdict {
  const { slug, phone_number, decision, code, reason } = decided;
  if (decision === "unrecognized") {
    throw new AppError("rule_broken", "This version does not know one of the decisions.");
  }
  return { slug, phone_number, decision, code, reason };
}

async function applyCheck(
  writer: MessageWriter,
  order: Order,
  { message, now }: ReceivedResult,
): Promise<Order> {
  const check = {
    command: "document_checked",
    slug: message.slug ?? "",
    document_id: message.document_id ?? "",
    passed: message.passed ?? false,
    code: message.code,
    detail: message.detail,
  } as const;
  return applyToOrder(writer, order, { command: check, actor: SYSTEM_ACTOR, now });
}
