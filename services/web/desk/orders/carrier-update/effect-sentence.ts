import type { z } from "zod";
import type { updateEffectAnswer } from "../../../../desk/orders/answers.ts";
import type { ZonedTime } from "../../../ui/zoned/zoned-time.ts";
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

/**
 * What a status update does, in a sentence that is read before it is recorded; `focAt` is the date that the carrier
 * named, as the form has it.
 */
export function effectSentence(
  before: OrderStatus,
  effect: Effect,
  focAt: ZonedTime | null,
): string {
  const told = toldIn(effect, before);
  if (effect.ignored !== null) {
    const also = told === null ? "" : ` The customer is told of ${told} all the same.`;
    return `This changes nothing: ${effect.ignored.detail}${also}`;
  }
  const numbers = numbersIn(effect);
  const tells =
    told === null ? "The customer is told nothing." : `The customer is told of ${told}.`;
  const date = focAt === null ? "" : ` The FOC date becomes ${dateText(focAt)}.`;
  const ending = numbers === null ? "" : ` ${numbers}`;
  return `${becomes(before, effect.status)}.${date}${ending} ${tells}`;
}

/** `Thu, Dec 3, 2026, 10:00 America/New_York` in the browser's language: the day of the week shows a slip of the hand. */
function dateText({ date, time, zone }: ZonedTime): string {
  const day = new Date(`${date}T00:00:00Z`).toLocaleDateString(undefined, {
    timeZone: "UTC",
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
  });
  return `${day}, ${time} ${zone}`;
}

function becomes(before: OrderStatus, after: OrderStatus): string {
  if (before === after) return `The order stays in ${STATUS_WORDS[after].name}`;
  return `This ${BECOMES[after] ?? `moves the order to ${STATUS_WORDS[after].name}`}`;
}

function toldIn({ status, events }: Effect, before: OrderStatus): string | null {
  const counts = new Map<string, number>();
  for (const type of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  const parts = [...counts].map(([type, count]) => {
    const isDate = type === "porting_order.status_changed" && status === before;
    return isDate ? "the new FOC date" : counted(count, ...(TOLD[type] ?? [type, type]));
  });
  return parts.length === 0 ? null : new Intl.ListFormat("en-GB").format(parts);
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
