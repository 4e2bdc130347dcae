import { z } from "zod";

import { idText, timeText } from "../../../platform/http/routing/answer-fields.ts";
import { EXCEPTION_CATALOGUE } from "../rules/exception-catalogue.ts";

const [sample = { code: "", title: "", detail: "", slugs: [] }] = EXCEPTION_CATALOGUE;

/** A comment as the APIs return it. */
export const commentAnswer = z
  .object({
    id: idText("The comment's id"),
    body: z.string().meta({
      description: "The comment's text",
      examples: ["The invoice is from last month."],
    }),
    author_type: z
      .enum(["customer", "ops", "carrier", "system"])
      .meta({ description: "Who wrote it; `ops` is the porting desk" }),
    created_at: timeText("When it was written"),
  })
  .meta({ id: "Comment", description: "A comment on an order or a port-out" });

/** An entry of an order's timeline as the APIs return it. */
export const timelineEntryAnswer = z
  .object({
    id: idText("The entry's id"),
    at: timeText("When it happened"),
    kind: z
      .enum([
        "status",
        "requirement",
        "comment",
        "number",
        "change",
        "order",
        "carrier",
        "document",
        "ignored",
      ])
      .meta({ description: "What the entry is about" }),
    actor: z
      .object({
        type: z
          .enum(["customer", "desk", "carrier", "system"])
          .meta({ description: "Which side acted" }),
        id: z.string().nullable().meta({ description: "Who acted, such as an API key's id" }),
        name: z.string().nullable().meta({ description: "Who acted, by name, where it is shown" }),
      })
      .meta({ id: "Actor", description: "Who acted" }),
    data: z.looseObject({}).meta({
      description: "Details that depend on the kind",
      examples: [{ previous_status: "draft", new_status: "in_review" }],
    }),
  })
  .meta({ id: "TimelineEntry", description: "Something that happened to an order" });

/** A canonical exception code. */
export const exceptionCodeAnswer = z
  .object({
    code: z.string().meta({ description: "Stable; for use by programs", examples: [sample.code] }),
    title: z.string().meta({ description: "What it means, in short", examples: [sample.title] }),
    detail: z.string().meta({ description: "What has to be done", examples: [sample.detail] }),
    slug: z
      .string()
      .nullable()
      .meta({
        description: "The requirement that the code most likely concerns",
        examples: [sample.slugs[0] ?? null],
      }),
    owner: z.enum(["customer", "desk", "carrier"]).meta({ description: "Who can resolve it" }),
  })
  .meta({ id: "PortingException", description: "A canonical reason why a port is rejected" });
