import { profileOf } from "../../../services/domain/requirement/rules/catalogue.ts";

/** The mandatory fields of a US local order, each of which the desk approves. */
const MANDATORY = (profileOf("US", "local") ?? []).filter(({ mandatory }) => mandatory);

/** Types and new statuses of all events of a US local order that is not rejected, in order. */
export const EVENTS_TO_LIVE_NUMBER: readonly (readonly [
  type: string,
  status: string | undefined,
])[] = [
  ["porting_order.created", undefined],
  ["loa.signed", undefined],
  ["porting_order.status_changed", "in_review"],
  ...MANDATORY.map(() => ["porting_order.requirement_updated", undefined] as const),
  ["porting_order.status_changed", "submitted"],
  ["porting_order.status_changed", "in_process"],
  ["porting_order.status_changed", "foc_scheduled"],
  ["porting_order.status_changed", "activating"],
  ["porting_order.status_changed", "completed"],
  ["number.activated", undefined],
];
