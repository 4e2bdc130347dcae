import { z } from "zod";
import { orderAnswer } from "../../domain/order/answers/order-answer.ts";
import { presentOrder } from "../../domain/order/answers/present-order.ts";
import type { DueTimes } from "../../domain/order/rules/due-times.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";

/** An order as the desk sees it: the customer's view with its account, provider and attention. */
export const deskOrderAnswer = orderAnswer
  .extend({
    account_id: idText(),
    provider: z.string().meta({ examples: ["sandbox"] }),
    request_version: z.int().meta({ description: "How often the order was sent to the carrier" }),
    attention: z
      .object({ reason: z.string(), raised_at: timeText() })
      .nullable()
      .meta({ description: "Why the order needs the desk", examples: [null] }),
  })
  .meta({ id: "DeskOrder", description: "A porting order as the desk sees it" });

export function presentForDesk(order: Order, due: DueTimes): Record<string, unknown> {
  const { account_id, provider, request_version, attention } = order;
  return { ...presentOrder(order, due), account_id, provider, request_version, attention };
}
