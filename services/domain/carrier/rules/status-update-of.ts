import { AppError } from "../../../platform/errors.ts";
import {
  STATUS_UPDATE_KINDS,
  type StatusUpdate,
  type StatusUpdateKind,
} from "../../order/rules/status-update.ts";
import type { OrderResult } from "./read-update.ts";

const KINDS: ReadonlySet<string> = new Set(STATUS_UPDATE_KINDS);

function isStatusUpdateKind(kind: string): kind is StatusUpdateKind {
  return KINDS.has(kind);
}

/** The ids of the comments that the update may leave on the order. */
export interface UpdateCommentIds {
  readonly comment: string;
  readonly reason: string;
}

/**
 * The status update that a carrier's result brings to its order.
 * @throws `rule_broken` for a kind that is not of an order
 */
export function statusUpdateOf(result: OrderResult, ids: UpdateCommentIds): StatusUpdate {
  const { kind, raw_status, request_version, foc_at, phone_numbers, code, text } = result;
  if (kind !== null && !isStatusUpdateKind(kind)) {
    throw new AppError(
      "rule_broken",
      `A carrier result of kind ${kind} does not apply to an order.`,
    );
  }
  return {
    ...{ kind, raw_status, foc_at, phone_numbers, code, text },
    request_version: request_version ?? 0,
    occurred_at: new Date(result.occurred_at),
    comment: result.comment === null ? null : { id: ids.comment, body: result.comment },
    reason_comment_id: ids.reason,
  };
}
