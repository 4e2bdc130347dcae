import { z } from "zod";
import { portOutAnswer } from "../../domain/port-out/answers/port-out-answer.ts";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { accountReference } from "../accounts/answers.ts";

/** A port-out as the desk sees it, with its account, its provider and the provider's reference. */
export const deskPortOutAnswer = portOutAnswer
  .extend({
    account_id: idText("The id of the numbers' account; null where they are of none").nullable(),
    account: accountReference
      .nullable()
      .describe("The numbers' account; null where they are of none"),
    provider: z
      .string()
      .meta({ description: "The provider that asked for the numbers", examples: ["sandbox"] }),
    port_out_ref: z
      .string()
      .meta({ description: "The provider's reference of the request", examples: ["PO-4711"] }),
    unanswered_comment_at: timeText(
      "When the customer wrote the first comment that no comment of the desk has followed",
    )
      .nullable()
      .meta({ examples: [null] }),
  })
  .meta({ id: "DeskPortOut", description: "A port-out of any account, or of none" });
