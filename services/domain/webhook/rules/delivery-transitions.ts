import {
  diagramOf,
  transitionsOf,
  type TransitionTable,
} from "../../../platform/transition-table.ts";
import { DELIVERY_STATUSES, type Delivery, type DeliveryStatus } from "./delivery.ts";

/** What moves a delivery: its attempts, its endpoint or URL, the recovery that created it, a customer's retry. */
export const MOVE_TRIGGERS = [
  "attempt_succeeded",
  /** Another attempt follows. */
  "attempt_failed",
  "last_attempt_failed",
  "endpoint_paused",
  "endpoint_deleted",
  "url_removed",
  "recovery_cancelled",
  "retried",
] as const;

export type MoveTrigger = (typeof MOVE_TRIGGERS)[number];

const WAITING = {
  attempt_succeeded: "succeeded",
  attempt_failed: "retrying",
  last_attempt_failed: "failed",
  endpoint_paused: "skipped",
  endpoint_deleted: "cancelled",
  url_removed: "cancelled",
  recovery_cancelled: "cancelled",
} as const;

/**
 * The one source of every move of a delivery (docs/contract/customer-api.md, Webhook deliveries).
 * Statements take it from store/delivery-status.ts: a row takes no status that the table does not lead to.
 */
export const DELIVERY_TRANSITIONS = {
  pending: WAITING,
  retrying: WAITING,
  succeeded: {},
  failed: { retried: "retrying" },
  skipped: { retried: "retrying" },
  cancelled: {},
} as const satisfies TransitionTable<DeliveryStatus, MoveTrigger>;

/** The status of a new delivery, by what its endpoint is. */
export const FIRST_STATUS = { active: "pending", paused: "skipped" } as const satisfies Record<
  string,
  DeliveryStatus
>;

type WithStatus = Pick<Delivery, "status">;

export const {
  targetOf: deliveryTargetOf,
  moveOf: deliveryMoveOf,
  targetsOf: deliveryTargetsOf,
} = transitionsOf<WithStatus, DeliveryStatus, MoveTrigger>(DELIVERY_TRANSITIONS);

/** Those from which a customer may retry. */
export const RETRIABLE_STATUSES = DELIVERY_STATUSES.filter(
  (status) => deliveryTargetOf({ status }, "retried") !== null,
);

/** The table as a Mermaid state diagram, included in the README of webhook-sender. */
export function deliveryDiagram(): string {
  return diagramOf({
    statuses: DELIVERY_STATUSES,
    triggers: MOVE_TRIGGERS,
    first: Object.values(FIRST_STATUS),
    targetsOf: deliveryTargetsOf,
  });
}
