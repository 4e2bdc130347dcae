import { isUnderReview } from "../../domain/order/rules/status-facts.ts";
import type { ReviewRequest } from "../../messages/generated/review-request.ts";
import type { HandleOnce } from "../../messages/bus/topic-consumer.ts";
import { lockOrder, lockOrderOnly } from "../../domain/order/store/read-order.ts";
import { listEarlierCases, openCase, withdrawCase } from "../../domain/review/store/cases.ts";
import { dueTimeOf, type DueClock } from "../desk-hours.ts";
import { changedSlugsOf } from "../../domain/review/rules/review-case.ts";
import { readUnchangedSlugs } from "../../domain/review/store/case-values.ts";
import { queueCheck } from "../document-check/store.ts";
import { queueReadings } from "../document-reading/store.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { isTimeOrdered, isUuid, timeOfId } from "../../platform/ids.ts";
import type { RawMessage } from "../../platform/kafka/raw-message.ts";
import { storableTraceparent } from "../../platform/traceparent.ts";

/** Queues a document's check, or opens or withdraws the case of a submission. */
export function onReviewRequest(clock: DueClock, box: SecretBox): HandleOnce<ReviewRequest> {
  return async (tx, { message, raw }) => {
    switch (message.kind) {
      case "open_case":
        return open(tx, message, { clock, box, submittedAt: submittedAtOf(raw) });
      case "withdraw_case":
        await lockKnown(tx, message.order_id);
        return withdrawCase(tx, message.order_id, message.attempt);
      case "check_document":
        return queue(tx, message, raw);
      case "unrecognized":
        throw new AppError("rule_broken", "This version does not know the kind.");
    }
  };
}

/** The order's decision drew the message's id, while the message may have waited for Kafka. */
function submittedAtOf({ messageId, timestamp }: RawMessage): Date {
  return isTimeOrdered(messageId) ? timeOfId(messageId) : new Date(timestamp);
}

/** Locks the order, which need not be read. */
async function lockKnown(tx: Queryable, orderId: string): Promise<void> {
  if (!(await lockOrderOnly(tx, orderId))) throw unknownOrder(orderId);
}

function unknownOrder(orderId: string): AppError {
  return new AppError("unknown_order", `There is no order ${orderId}.`);
}

interface Submission {
  readonly clock: DueClock;
  /** Opens sealed values, to compare them. */
  readonly box: SecretBox;
  readonly submittedAt: Date;
}

async function open(
  tx: Queryable,
  { order_id: orderId, attempt }: ReviewRequest,
  { clock, box, submittedAt }: Submission,
): Promise<void> {
  const order = await lockOrder(tx, orderId);
  if (order === null) throw unknownOrder(orderId);
  // An order that has left this review gets no open case: its withdrawal may be on its way already.
  if (!isUnderReview(order, attempt)) return;
  const [before = null] = await listEarlierCases(tx, orderId, attempt);
  await openCase(tx, {
    orderId,
    accountId: order.account_id,
    attempt,
    submittedAt,
    dueAt: dueTimeOf(clock, submittedAt, before),
    changedSlugs: changedSlugsOf(order, await readUnchangedSlugs(tx, box, { orderId, attempt })),
  });
  await queueReadings(tx, { order_id: orderId, attempt }, submittedAt);
}

async function queue(tx: Queryable, message: ReviewRequest, raw: RawMessage): Promise<void> {
  const { order_id, account_id, attempt, slug, document_id } = message;
  if (slug === null || document_id === null || !isUuid(document_id)) {
    throw new AppError("rule_broken", "A document check needs slug and document_id.");
  }
  await lockKnown(tx, order_id);
  await queueCheck(tx, {
    request_id: raw.messageId,
    order_id,
    account_id,
    attempt,
    slug,
    document_id,
    requested_at: new Date(raw.timestamp),
    traceparent: storableTraceparent(raw.headers["traceparent"]),
  });
}
