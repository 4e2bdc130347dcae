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
  slug: z.string().meta({ examples: ["loa"] }),
  name: z.string().meta({ examples: ["Letter of authorization"] }),
  field_type: z.enum(FIELD_TYPES),
  mandatory: z.boolean(),
};

const explained = {
  description: z.string().meta({
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
  .meta({ id: "RequirementDefinition" });

/** A requirement of an order (docs/contract/interface-specification.md, Requirement). */
export const requirementAnswer = z
  .object({
    ...asked,
    description: explained.description.optional(),
    example: explained.example.optional(),
    acceptance_criteria: explained.acceptance_criteria.optional(),
    status: z.enum(REQUIREMENT_STATUSES),
    exception_reason: z.string().nullable().optional().meta({
      description: "Why the value was rejected; absent unless the requirement is in exception",
    }),
    field_value: z
      .string()
      .nullable()
      .meta({ description: "Masked if it is sensitive; for a document, its id" }),
    document_date: timeText().nullable(),
  })
  .meta({ id: "Requirement" });

/** Whether an order can be submitted, and what blocks it. */
export const readinessAnswer = z
  .object({
    ready: z.boolean().meta({ examples: [false] }),
    blocking: z.array(
      z.object({
        slug: asked.slug,
        code: z.enum(["missing", "exception", "checking", "check_failed", "document_too_old"]),
        detail: z.string().meta({ examples: ["It has no value yet."] }),
      }),
    ),
  })
  .meta({ id: "Readiness" });
