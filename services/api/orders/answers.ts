import { z } from "zod";
import {
  ORDER_PARTS,
  orderAnswer,
  presentOrder,
  type OrderPart,
} from "../../domain/order/answers/order-answer.ts";
import { listOf, offsetTimeText } from "../../platform/http/routing/answer-fields.ts";
import type { DueTimes } from "../../domain/order/rules/next-action.ts";
import type { Order } from "../../domain/order/rules/order.ts";

const PARTS = ORDER_PARTS.join("|");

/** `include=requirements,numbers`: the parts of each order that a list shows only if asked to. */
export const includeParameter = z
  .string()
  .regex(
    new RegExp(`^(${PARTS})(,(${PARTS}))*$`),
    `It must be a list of: ${ORDER_PARTS.join(", ")}.`,
  )
  .transform((text): ReadonlySet<OrderPart> => new Set(text.split(",") as OrderPart[]))
  .optional()
  .meta({ description: "Parts to show of each order, separated by commas", examples: ["numbers"] });

/** An order in a list: without the parts that were not asked for. */
export const listedOrderAnswer = orderAnswer
  .omit({ number_configuration: true })
  .partial({ requirements: true, numbers: true, exceptions: true })
  .extend({
    numbers_count: z.int().min(1).meta({ description: "How many numbers the order has" }),
  })
  .meta({ id: "ListedPortingOrder", description: "A porting order in a list" });

export const focWindowsAnswer = listOf(
  z
    .object({
      opens_at: offsetTimeText("When numbers can first be moved, with the offset of their zone"),
      closes_at: offsetTimeText("When they last can"),
    })
    .meta({ id: "FocWindow", description: "A window in which an order's numbers can be moved" }),
);

export function presentListedOrder(
  order: Order,
  due: DueTimes,
  include: ReadonlySet<OrderPart> = new Set(),
): Record<string, unknown> {
  return Object.assign(presentOrder(order, due, include), { numbers_count: order.numbers.length });
}
