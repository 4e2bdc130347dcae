import { z } from "zod";

import { idText, timeText } from "../../../platform/http/routing/answer-fields.ts";
import { EXCEPTION_CATALOGUE } from "../rules/exception-catalogue.ts";

const [sample = { code: "", title: "", detail: "", slugs: [] }] = EXCEPTION_CATALOGUE;

/** A comment as the APIs return it. */
export const commentAnswer = z
  .object({
    id: idText(),
    body: z.string().meta({ examples: ["The invoice is from last month."] }),
    author_type: z.enum(["customer", "ops", "carrier", "system"]),
    created_at: timeText(),
  })
  .meta({ id: "Comment" });

/** An entry of an order's timeline as the APIs return it. */
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
    data: z.looseObject({}).meta({
      description: "Details that depend on the kind",
      examples: [{ previous_status: "draft", new_status: "in_review" }],
    }),
  })
  .meta({ id: "TimelineEntry" });

/** A canonical exception code. */
export const exceptionCodeAnswer = z
  .object({
    code: z.string().meta({ examples: [sample.code] }),
    title: z.string().meta({ examples: [sample.title] }),
    detail: z.string().meta({ examples: [sample.detail] }),
    slug: z
      .string()
      .nullable()
      .meta({
        description: "The requirement that the code most likely concerns",
        examples: [sample.slugs[0] ?? null],
      }),
    owner: z.enum(["customer", "desk", "carrier"]).meta({ description: "Who can resolve it" }),
  })
  .meta({ id: "PortingException" });
