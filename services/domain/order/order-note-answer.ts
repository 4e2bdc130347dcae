import { z } from "zod";

import { idText, timeText } from "../../platform/answer-fields.ts";

/** A comment as the APIs answer it. */
export const commentAnswer = z
  .object({
    id: idText(),
    body: z.string(),
    author_type: z.enum(["customer", "ops", "carrier", "system"]),
    created_at: timeText(),
  })
  .meta({ id: "Comment" });

/** An entry of an order's timeline as the APIs answer it. */
export const timelineEntryAnswer = z
  .object({
    id: idText(),
    at: timeText(),
    kind: z.enum(["status", "requirement", "comment", "number", "carrier", "document", "ignored"]),
    actor: z.object({
      type: z.enum(["customer", "desk", "carrier", "system"]),
      id: z.string().nullable(),
      name: z.string().nullable(),
    }),
    data: z.looseObject({}).meta({ description: "What it says, by its kind" }),
  })
  .meta({ id: "TimelineEntry" });

/** A canonical exception code. */
export const exceptionCodeAnswer = z
  .object({
    code: z.string(),
    title: z.string(),
    detail: z.string(),
    slug: z.string().nullable().meta({ description: "The requirement that it is likeliest about" }),
    owner: z.enum(["customer", "desk", "carrier"]).meta({ description: "Who can settle it" }),
  })
  .meta({ id: "PortingException" });
