import { z } from "zod";
import { idText, timeText } from "../../platform/http/routing/answer-fields.ts";
import { personAnswer } from "../operators/person-answer.ts";

/** An internal note on an order; no customer ever sees one. */
export const noteAnswer = z
  .object({
    id: idText("The note's id, also that of its entry in the desk's timeline"),
    body: z.string().meta({
      description: "The note's text",
      examples: ["The carrier wants the account number without dashes."],
    }),
    author: personAnswer.describe("The operator who wrote it"),
    created_at: timeText("When it was written"),
  })
  .meta({ id: "Note", description: "An internal note of the desk on an order" });
