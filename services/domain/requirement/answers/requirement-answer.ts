import { z } from "zod";

import { timeText } from "../../../platform/http/routing/answer-fields.ts";

const FIELD_TYPES = ["document", "text", "address", "date", "choice"] as const;

export const REQUIREMENT_STATUSES = [
  "requirement-info-pending",
  "requirement-info-under-review",
  "requirement-info-exception",
  "approved",
] as const;

const asked = {
  slug: z.string().meta({ description: "Names the requirement in paths", examples: ["loa"] }),
  name: z.string().meta({
    description: "A label for people",
    examples: ["Letter of authorization"],
  }),
  field_type: z.enum(FIELD_TYPES).meta({
    id: "RequirementFieldType",
    description: "The form of its value: a file for `document`, else a string",
  }),
  mandatory: z.boolean().meta({ description: "Whether the order needs it to be submitted" }),
};

const explained = {
  description: z.string().meta({
    description: "What is asked for, for people",
    examples: ["Signed by the person authorized to change the account."],
  }),
  example: z.string().meta({
    description: "A value that is accepted; for a document, a description of a good one",
    examples: ["A signed PDF"],
  }),
  acceptance_criteria: z.looseObject({}).meta({
    description: "The criteria of an acceptable value: pattern, options, lengths, types",
    examples: [{ content_types: ["application/pdf", "image/jpeg", "image/png"] }],
  }),
};

/** A requirement of orders of a country and number type. */
export const requirementDefinitionAnswer = z
  .object({ ...asked, ...explained })
  .meta({ id: "RequirementDefinition", description: "What orders of a kind ask for" });

/** A requirement of an order (docs/contract/interface-specification.md, Requirement). */
export const requirementAnswer = z
  .object({
    ...asked,
    description: explained.description.optional(),
    example: explained.example.optional(),
    acceptance_criteria: explained.acceptance_criteria.optional(),
    status: z
      .enum(REQUIREMENT_STATUSES)
      .meta({ id: "RequirementStatus", description: "Where the requirement stands in review" }),
    exception_reason: z.string().nullable().optional().meta({
      description: "Why the value was rejected; absent unless the requirement is in exception",
    }),
    field_value: z
      .string()
      .nullable()
      .meta({ description: "Masked if it is sensitive; for a document, its id" }),
    document_date: timeText("The date of the document, as uploaded").nullable(),
    check_state: z.enum(["none", "checking", "passed", "failed"]).meta({
      description: "Of the document's automatic check; why it failed is in the readiness",
    }),
  })
  .meta({ id: "Requirement", description: "What an order asks for, with its value" });

/** Whether an order can be submitted, and what blocks it. */
export const readinessAnswer = z
  .object({
    ready: z.boolean().meta({
      description: "Whether the order can be submitted now",
      examples: [false],
    }),
    blocking: z
      .array(
        z.object({
          slug: asked.slug,
          code: z
            .enum(["missing", "exception", "checking", "check_failed", "document_too_old"])
            .meta({ description: "Why the requirement blocks; `checking` passes by itself" }),
          detail: z.string().meta({
            description: "Why the requirement blocks, for people",
            examples: ["It has no value yet."],
          }),
        }),
      )
      .meta({ description: "The requirements that block; empty if the order is ready" }),
  })
  .meta({ id: "Readiness", description: "Whether an order can be submitted" });
