import { z } from "zod";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { HEALTH_STATUSES } from "../health/rules/health-thresholds.ts";
import { personAnswer } from "../operators/answers.ts";

/** The data of a `review` hint. */
export const reviewHint = z
  .object({
    order_id: idText(),
    attempt: z.int().meta({ examples: [1] }),
    state: z.enum(["open", "decided", "withdrawn"]),
    claimed_by: personAnswer.nullable().describe("Who holds a live claim; null for nobody"),
    due_at: timeText("When the desk is due to decide"),
  })
  .meta({ id: "ReviewHint" });

/** The data of an `order` hint. */
export const orderHint = z
  .object({ id: idText(), account_id: idText(), status: z.enum(ORDER_STATUSES) })
  .meta({ id: "OrderHint" });

/** The data of a `counts` hint: what it counts depends on who asks, so that it holds no numbers. */
export const countsHint = z
  .object({ at: timeText("When a case was opened, claimed, released, closed, or became overdue") })
  .meta({ id: "CountsHint" });

/** The data of a `health` hint. */
export const healthHint = z
  .object({
    at: timeText("The minute of the new sample"),
    status: z.enum(HEALTH_STATUSES).describe("The worst status among all measures"),
  })
  .meta({ id: "HealthHint" });

/** The data of each type of event on the stream. */
export const streamHints = {
  review: reviewHint,
  order: orderHint,
  counts: countsHint,
  health: healthHint,
} as const;

export type StreamHints = { [K in keyof typeof streamHints]: z.output<(typeof streamHints)[K]> };
