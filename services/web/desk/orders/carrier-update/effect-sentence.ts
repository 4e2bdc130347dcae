import type { z } from "zod";
import type { updateEffectAnswer } from "../../../../requirement-review/orders/carrier-update-answers.ts";
import { counted, NUMBER_WORDS, STATUS_WORDS } from "../order-words.ts";
import type { OrderStatus } from "../queries.ts";

export type Effect = z.infer<typeof updateEffectAnswer>;

const BECOMES: Readonly<Partial<Record<OrderStatus, string>>> = {
  rejection: "sends the order back to the customer (Rejection)",
  foc_scheduled: "schedules the port",
  activating: "starts the activation",
  completed: "completes the order",
  completed_partial: "completes the order in part",
  cancelled: "cancels the order for good",
};

/** An event as the customer learns of it: one, and several. */
const TOLD: Readonly<Record<string, readonly [string, string]>> = {
  "porting_order.status_changed": ["status change", "status changes"],
  "porting_order.requirement_updated": ["rejected field", "rejected fields"],
  "porting_order.new_comment": ["comment", "comments"],
  "number.activated": ["activated number", "activated numbers"],
};

/** What a status update does, in a sentence that is read before it is recorded. */
export function effectSentence(before: OrderStatus, effect: Effect): string {
  const told = toldIn(effect);
  if (effect.ignored !== null) {
    const also = told === null ? "" : ` The customer is told all the same: ${told}.`;
    return `This changes nothing: ${effect.ignored.detail}${also}`;
  }
  const numbers = numbersIn(effect);
  const tells = told === null ? "tells the customer nothing" : `tells the customer: ${told}`;
  const ending = numbers === null ? "" : ` ${numbers}`;
  return `This ${becomes(before, effect.status)} and ${tells}.${ending}`;
}

function becomes(before: OrderStatus, after: OrderStatus): string {
  if (before === after) return `leaves the order in ${STATUS_WORDS[after].name}`;
  return BECOMES[after] ?? `moves the order to ${STATUS_WORDS[after].name}`;
}

function toldIn({ events }: Effect): string | null {
  const counts = new Map<string, number>();
  for (const type of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(([type, count]) => counted(count, ...(TOLD[type] ?? [type, type])));
  return parts.length === 0 ? null : parts.join(", ");
}

function numbersIn({ numbers }: Effect): string | null {
  const statuses = [...new Set(numbers.map(({ status }) => status))];
  const parts = statuses.map((status) => {
    const own = numbers.filter((one) => one.status === status);
    const who = own.length === 1 ? (own[0]?.phone_number ?? "") : `${own.length} numbers`;
    return `${who} ${own.length === 1 ? "becomes" : "become"} ${NUMBER_WORDS[status].name.toLowerCase()}`;
  });
  return parts.length === 0 ? null : `${parts.join("; ")}.`;
}
