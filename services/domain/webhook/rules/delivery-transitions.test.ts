import { describe, expect, it } from "@jest/globals";
import { DELIVERY_STATUSES, isWaitingStatus, type DeliveryStatus } from "./delivery.ts";
import {
  deliveryMoveOf,
  deliveryTargetOf,
  MOVE_TRIGGERS,
  RETRIABLE_STATUSES,
  type MoveTrigger,
} from "./delivery-transitions.ts";

/** What the contract promises of a delivery that is due or under way, and of one that has ended. */
const OF_WAITING: Record<MoveTrigger, DeliveryStatus | null> = {
  attempt_succeeded: "succeeded",
  attempt_failed: "retrying",
  last_attempt_failed: "failed",
  endpoint_paused: "skipped",
  endpoint_deleted: "cancelled",
  url_removed: "cancelled",
  recovery_cancelled: "cancelled",
  retried: null,
};

function promised(from: DeliveryStatus, trigger: MoveTrigger): DeliveryStatus | null {
  if (isWaitingStatus(from)) return OF_WAITING[trigger];
  return trigger === "retried" && (from === "failed" || from === "skipped") ? "retrying" : null;
}

describe("a delivery", () => {
  const pairs = DELIVERY_STATUSES.flatMap((from) =>
    MOVE_TRIGGERS.map((trigger) => ({ from, trigger, to: promised(from, trigger) })),
  );

  it.each(pairs)("in $from becomes $to by $trigger", ({ from, trigger, to }) => {
    expect(deliveryTargetOf({ status: from }, trigger)).toBe(to);
    const move = (): string => deliveryMoveOf({ status: from }, trigger);
    if (to === null) expect(move).toThrow(`There is no move from ${from} by ${trigger}.`);
    else expect(move()).toBe(to);
  });

  it("can be retried once it has failed or was skipped", () => {
    expect(RETRIABLE_STATUSES).toEqual(["failed", "skipped"]);
  });
});
