import { z } from "zod";
import {
  idText,
  numberText,
  offsetTimeText,
  timeText,
} from "../../../platform/http/routing/answer-fields.ts";
import type { OrderChange } from "../rules/order.ts";

/** A change of a submitted order as the APIs return it (docs/contract/customer-api.md, Porting orders). */
export const changeAnswer = z
  .object({
    id: idText("The change's id"),
    status: z.enum(["pending", "accepted", "refused", "withdrawn"]).meta({
      description: "What came of it; pending until the losing carrier has answered",
    }),
    requested: z
      .object({
        foc_requested: offsetTimeText(
          "The port date to ask for; null where it is to stay",
        ).nullable(),
        remove_phone_numbers: z
          .array(numberText())
          .meta({ description: "Numbers to take out of the order", examples: [[]] }),
        reason: z
          .string()
          .nullable()
          .meta({ description: "Why", examples: ["The new office opens later."] }),
      })
      .meta({ description: "What was asked for" }),
    detail: z
      .string()
      .nullable()
      .meta({ description: "Why it was refused or withdrawn, for people", examples: [null] }),
    created_at: timeText("When it was asked for"),
    decided_at: timeText("When it ended").nullable(),
  })
  .meta({ id: "PortingOrderChange", description: "A change of an order that its carrier has" });

export function presentChange(change: OrderChange) {
  const { id, status, foc_requested, remove_phone_numbers, reason, detail } = change;
  const { created_at, decided_at } = change;
  const requested = { foc_requested, remove_phone_numbers, reason };
  return { id, status, requested, detail, created_at, decided_at };
}
