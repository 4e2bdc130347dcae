import { z } from "zod";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";

/** How many orders have a status. */
export const statusCount = z.object({
  status: z.enum(ORDER_STATUSES).describe("The orders' present status"),
  count: z.int().describe("How many orders have it"),
});
