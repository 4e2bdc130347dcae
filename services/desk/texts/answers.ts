import { z } from "zod";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";

export const slug = z
  .string()
  .meta({ description: "The requirement that it rejects", examples: ["loa"] });
export const code = {
  description: "A code of /desk/v1/rejection_reasons",
  examples: ["loa_invalid"],
};
export const text = {
  description: "What the customer reads",
  examples: ["Please sign page 2, too."],
};

/** A text with which an operator rejects a requirement, saved by that operator. */
export const rejectionTextAnswer = z
  .object({
    id: idText("The text's id"),
    slug,
    code: z.string().nullable().meta(code),
    text: z.string().meta(text),
    created_at: timeText("When it was saved"),
  })
  .meta({ id: "RejectionText", description: "A text with which an operator rejects" });
