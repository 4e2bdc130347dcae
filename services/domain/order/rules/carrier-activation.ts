import { exceptionOf } from "./carrier-exception.ts";
import { dateOf, withDate } from "./carrier-date.ts";
import type { CarrierWord } from "./status-update.ts";
import { withoutCase, withoutDates } from "./decide-cancel.ts";
import { tellRequirement } from "./decide-review.ts";
import type { Order, OrderNumber } from "./order.ts";
import type { Story } from "./order-decision.ts";
import { add, canMove, change, changeRequirements, move } from "./order-decision.ts";
import { CARRIER_PATH } from "./transitions.ts";

/**
 * Takes the steps between where the order stands and activating, one event each. A number that turned active brings an
 * order there from rejection and review too, once it was sent: a live number is always told.
 */
export function toActivating(story: Story, word: CarrierWord, now: Date): Story {
  if (story.order.status === "cancel_pending") return startActivation(story, word, now);
  const back = story.order.status === "rejection" || story.order.status === "in_review";
  if (back) {
    const live = word.kind === "number_active" && story.order.request_version > 0;
    return live ? startActivation(withoutCase(story), word, now) : story;
  }
  let reached = story;
  for (const step of CARRIER_PATH) {
    if (step.status !== reached.order.status) continue;
    if (step.next === "acknowledged") reached = move(reached, { to: "in_process", now });
    else if (step.next === "carrier_date") reached = withDate(reached, word, now);
    else reached = startActivation(reached, word, now);
  }
  return reached;
}

function startActivation(story: Story, word: CarrierWord, now: Date): Story {
  const numbers = story.order.numbers.map((number): OrderNumber =>
    number.status === "pending" ? { ...number, status: "activating" } : number,
  );
  const { foc_actual: known, cancel } = story.order;
  const fields = { numbers, foc_actual: cancel?.noted_foc ?? known ?? dateOf(word) };
  return withoutDates(move(story, { to: "activating", now, fields }));
}

function isNamed(word: CarrierWord, number: OrderNumber): boolean {
  if (word.phone_numbers !== null) return word.phone_numbers.includes(number.phone_number);
  return number.status === "pending" || number.status === "activating";
}

/** Turns numbers active, a failed one too where the carrier names it. */
export function withActiveNumbers(story: Story, word: CarrierWord, now: Date): Story {
  if (!canMove(story, "number_active", "completed")) return story;
  const turned = story.order.numbers.filter(
    (number) =>
      number.status !== "active" && number.status !== "cancelled" && isNamed(word, number),
  );
  if (turned.length === 0) return story;
  const activatedAt = word.occurred_at < now ? word.occurred_at : now;
  const numbers = story.order.numbers.map((number): OrderNumber =>
    turned.includes(number)
      ? { ...number, status: "active", failure_code: null, activated_at: activatedAt }
      : number,
  );
  return add(
    change(story, { numbers, updated_at: now }),
    ...turned.map(({ phone_number }) => ({
      effect: "number_active" as const,
      phone_number,
      activated_at: activatedAt,
    })),
  );
}

export function failureCodeOf({ code }: CarrierWord): string {
  return code ?? "other";
}

/** Notes numbers that failed for good. While a cancellation waits they are noted and move nothing. */
export function withFailedNumbers(story: Story, word: CarrierWord, now: Date): Story {
  const open = (number: OrderNumber): boolean =>
    (number.status === "activating" || number.status === "pending") && isNamed(word, number);
  const { status } = story.order;
  if (status !== "activating" && status !== "cancel_pending") return story;
  if (!story.order.numbers.some(open)) return story;
  const code = failureCodeOf(word);
  const numbers = story.order.numbers.map((number): OrderNumber =>
    open(number) ? { ...number, status: "failed", failure_code: code } : number,
  );
  return add(change(story, { numbers, updated_at: now }), {
    effect: "timeline",
    kind: "number",
    data: { failed: story.order.numbers.filter(open).length, code, text: word.text },
  });
}

/** What an order in activating has come to once none of its numbers is on its way any more. */
export function settle(story: Story, word: CarrierWord, now: Date): Story {
  const { status, numbers } = story.order;
  if (status !== "activating") return story;
  if (numbers.some((number) => number.status === "activating")) return story;
  const active = numbers.filter((number) => number.status === "active").length;
  if (active === numbers.length) return withActivationTold(move(story, { to: "completed", now }));
  if (active > 0) return withActivationTold(move(story, { to: "completed_partial", now }));
  return withAllFailed(story, word, now);
}

/** Every number failed: the order is back with the customer, and may be sent again whole. */
function withAllFailed(story: Story, word: CarrierWord, now: Date): Story {
  const codes = [...new Set(story.order.numbers.map((number) => number.failure_code))];
  const said = failureCodeOf(word);
  const exceptions = codes.map((code) =>
    exceptionOf(story.order, { code, text: code === said ? word.text : null }, now),
  );
  return backToCustomer(story, exceptions, now);
}

/** The numbers as the next request takes them out again: what failed under this one counts no more. */
export function afresh({ numbers }: Order): Order["numbers"] {
  return numbers.map((number): OrderNumber =>
    number.status === "failed" || number.status === "activating"
      ? { ...number, status: "pending", failure_code: null }
      : number,
  );
}

/** rejection, with the numbers pending again and no date. */
export function backToCustomer(story: Story, exceptions: Order["exceptions"], now: Date): Story {
  const fields = { exceptions, numbers: afresh(story.order), foc_actual: null, cancel: null };
  const told = exceptions.reduce(withFieldInException, story);
  return withoutDates(move(told, { to: "rejection", now, fields }));
}

/** The field that a carrier's code names is the customer's to rewrite. */
function withFieldInException(story: Story, { slug, detail }: Order["exceptions"][number]): Story {
  if (slug === null) return story;
  const status = "requirement-info-exception";
  const changed = changeRequirements(story, (requirement) =>
    requirement.slug === slug ? { ...requirement, status, exception_reason: detail } : requirement,
  );
  return tellRequirement(changed, { slug, status, reason: detail });
}

/** An end while some numbers are active already: the others end as `ending` says. */
export function endPartially(
  story: Story,
  ending: Pick<OrderNumber, "status" | "failure_code">,
  now: Date,
): Story {
  const numbers = story.order.numbers.map((number): OrderNumber =>
    number.status === "activating" ? { ...number, ...ending } : number,
  );
  return withActivationTold(move(story, { to: "completed_partial", now, fields: { numbers } }));
}

/** One `number.activated` per active number, after the status that ends the order. */
function withActivationTold(story: Story): Story {
  const { order } = story;
  return add(
    story,
    ...order.numbers.flatMap((number) =>
      number.status !== "active" || number.activated_at === null
        ? []
        : [
            {
              effect: "event" as const,
              type: "number.activated" as const,
              payload: {
                phone_number: number.phone_number,
                porting_order_id: order.id,
                country_code: order.country_code,
                number_type: order.number_type,
                activated_at: number.activated_at.getTime(),
              },
            },
          ],
    ),
  );
}
