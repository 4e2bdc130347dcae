import type { Attention, Order, OrderChange } from "./order.ts";
import { hasDateConfirmed } from "./status-facts.ts";

/** How many changes an order can be asked for. */
export const MAX_CHANGES = 20;

export function pendingChange({ changes }: Pick<Order, "changes">): OrderChange | null {
  return changes.find(({ status }) => status === "pending") ?? null;
}

/** The pending change that a request of this version asks for. */
export function changeOfVersion(
  order: Pick<Order, "changes">,
  version: number | null,
): OrderChange | null {
  const pending = pendingChange(order);
  return version !== null && pending?.versions[0] === version ? pending : null;
}

/**
 * The oldest version on which the carrier may still act: one that asks for a change counts for those before it only once it
 * was accepted.
 */
export function versionInForce({
  request_version,
  changes,
}: Pick<Order, "request_version" | "changes">): number {
  const asking = new Set(
    changes.flatMap(({ status, versions }) => (status === "accepted" ? [] : versions)),
  );
  let version = request_version;
  while (asking.has(version)) version -= 1;
  return version;
}

type Dated = Pick<Order, "status" | "foc_requested" | "foc_actual" | "changes">;

/** Whether the carrier confirmed a date before the requested one, and nothing has come of that yet. */
export function needsConfirmation(order: Dated): boolean {
  const { status, foc_requested: wanted, foc_actual: confirmed } = order;
  if (!hasDateConfirmed(status) || wanted === null || confirmed === null) return false;
  return Date.parse(confirmed) < Date.parse(wanted) && pendingChange(order) === null;
}

/** Whether the carrier was asked for the requested date after the order was submitted, so that its date is its answer. */
export function isAskedAgain({ foc_requested, changes }: Dated): boolean {
  return changes.some((change) => change.foc_requested === foc_requested);
}

/** Why the desk is alerted of such a date that comes soon. */
export const EARLY_AND_CLOSE =
  "The carrier confirmed a date before the requested one, and it is close: see that the customer confirms it, or settle another one with the carrier.";

export function isEarlyDateAlert(attention: Attention | null): boolean {
  return attention?.reason === EARLY_AND_CLOSE;
}
