import { z } from "zod";
import { timelineEntryAnswer } from "../../domain/order/answers/order-note-answer.ts";
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
    author: personAnswer,
    created_at: timeText("When it was written"),
  })
  .meta({ id: "Note", description: "An internal note of the desk on an order" });

const { kind } = timelineEntryAnswer.shape;

/** An entry of the timeline as the desk sees it: its notes too. */
export const deskTimelineEntryAnswer = timelineEntryAnswer
  .extend({
    kind: z
      .enum([...kind.options, "note"])
      .meta({ description: "What the entry is about; notes are internal" }),
  })
  .meta({ id: "DeskTimelineEntry", description: "Something that happened to an order" });
