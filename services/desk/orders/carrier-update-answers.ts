import { z } from "zod";
import { orderStatusAnswer } from "../../domain/order/answers/order-answer.ts";
import { eventType } from "../../domain/event/answers/event-type-answer.ts";
import { STATUS_UPDATE_KINDS } from "../../domain/order/rules/status-update.ts";
import { instantText } from "../../platform/calendar/instant-text.ts";
import { optionalOrNull, textUpTo } from "../../platform/http/body/fields.ts";
import { idText, numberText } from "../../platform/http/routing/answer-fields.ts";

/** What a carrier said by mail or phone. */
export const carrierUpdateBody = z.strictObject({
  kind: optionalOrNull(z.enum(STATUS_UPDATE_KINDS)).describe(
    "What it means; unless given, the provider's table decides by raw_status",
  ),
  raw_status: textUpTo(200, z.string().min(1)).describe("The carrier's own words for the status"),
  occurred_at: optionalOrNull(instantText).describe(
    "When the carrier says that it happened; else now",
  ),
  request_version: optionalOrNull(z.int().min(1)).describe(
    "Which request it answers; the current one unless given",
  ),
  foc_at: optionalOrNull(instantText).describe(
    "The port date, which date_confirmed and date_moved need",
  ),
  rejection: optionalOrNull(
    z.strictObject({
      raw_code: z
        .string()
        .max(100)
        .describe("A code of the provider, or of /v2/porting_exceptions; `other` without one"),
      raw_text: textUpTo(2_000).default("").describe("The carrier's text, for the customer"),
    }),
  ).describe("Why it rejected, refused or failed"),
  phone_numbers: optionalOrNull(z.array(z.string()).min(1).max(1_000)).describe(
    "The numbers that it is about; unless given, all that are not settled",
  ),
  comment: optionalOrNull(textUpTo(4_000, z.string().min(1))).describe(
    "The carrier's comment, which the customer receives",
  ),
  dry_run: z.boolean().default(false).describe("Answer with the effect and do nothing"),
});

/** What a status update does to the order as it is now. */
export const updateEffectAnswer = z
  .object({
    status: orderStatusAnswer,
    numbers: z
      .array(
        z.object({
          phone_number: numberText("The number, in E.164"),
          status: z
            .enum(["pending", "activating", "active", "failed", "cancelled"])
            .meta({ description: "What the number becomes" }),
        }),
      )
      .meta({ description: "The numbers that change, in the order's sequence", examples: [[]] }),
    events: z
      .array(eventType)
      .meta({ description: "The types of the events that the customer receives, in sequence" }),
    ignored: z
      .object({
        code: z.string().meta({
          description: "`order_closed`, `outdated_version`, `unknown_status` or `no_effect`",
          examples: ["no_effect"],
        }),
        detail: z.string().meta({
          description: "Why, for people",
          examples: ["An order in completed is not moved by acknowledged."],
        }),
      })
      .nullable()
      .meta({
        description: "Why the update moves nothing; null if it has an effect",
        examples: [null],
      }),
  })
  .meta({
    id: "CarrierUpdateEffect",
    description: "The status and the numbers that the order gets, and the events that follow",
  });

export const dryUpdateAnswer = z
  .object({ effect: updateEffectAnswer })
  .meta({ id: "CarrierUpdateDryRun", description: "What the update would do; nothing was done" });

export const carrierUpdateAnswer = z
  .object({ update_id: idText("The update's id"), effect: updateEffectAnswer })
  .meta({ id: "CarrierUpdateAccepted", description: "The update, which follows its way" });
