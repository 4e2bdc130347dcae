import type { Effect } from "../../order/rules/effects.ts";
import type { Order } from "../../order/rules/order.ts";
import { isEnded } from "../../order/rules/status-facts.ts";
import type { StatusUpdate } from "../../order/rules/status-update.ts";
import { APPLIED, ignored, type ReceiptOutcome } from "./receipt.ts";

export interface DecidedUpdate {
  readonly order: Order;
  readonly update: StatusUpdate;
  readonly effects: readonly Effect[];
}

/** Whether a status update moved the order; `order` is as it was before, `effects` are those of the decision. */
export function outcomeOf({ order, update, effects }: DecidedUpdate): ReceiptOutcome {
  if (update.kind === "comment") {
    return update.comment === null
      ? ignored("no_effect", "A comment without text has no effect.")
      : APPLIED;
  }
  const isIgnored = effects.some((one) => one.effect === "timeline" && one.kind === "ignored");
  if (isIgnored) return whyIgnored(order, update);
  if (update.kind !== null) return APPLIED;
  return ignored(
    "unknown_status",
    "The provider's file has no kind for this raw_status: it became provider_status and moved nothing.",
  );
}

function whyIgnored(order: Order, update: StatusUpdate): ReceiptOutcome {
  const { kind, request_version: version } = update;
  if (isEnded(order)) return ignored("order_closed", `The order was ${order.status} already.`);
  if (version < order.request_version) {
    const detail = `It is about version ${version}, and the order was sent in version ${order.request_version}.`;
    return ignored("outdated_version", detail);
  }
  return ignored(
    "no_effect",
    numbersKnown(order, update) ?? `An order in ${order.status} is not moved by ${kind ?? "it"}.`,
  );
}

/** Says so where every number that an update names is active or has failed already; else null. */
function numbersKnown(
  { numbers }: Order,
  { kind, phone_numbers: named }: StatusUpdate,
): string | null {
  if (kind !== "number_active" && kind !== "number_failed") return null;
  const known = numbers.filter(({ phone_number }) => named?.includes(phone_number) ?? false);
  const isOne = known.length === 1;
  const subject = isOne ? "The number" : "The numbers that it names";
  const [first, ...others] = new Set(known.map(({ status }) => status));
  if (others.length > 0) return null;
  if (first === "active") return `${subject} ${isOne ? "is" : "are"} active already.`;
  return first === "failed" ? `${subject} ${isOne ? "has" : "have"} failed already.` : null;
}
