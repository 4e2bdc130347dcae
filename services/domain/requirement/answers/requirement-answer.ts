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

const told = {
  description: z.string().meta({
    examples: ["Signed by the person who may decide about the account."],
  }),
  example: z.string().meta({
    description: "A value that is accepted; of a document, what it is",
    examples: ["A signed PDF"],
  }),
  acceptance_criteria: z.looseObject({}).meta({
    description: "What makes a value acceptable: pattern, options, lengths, types",
    examples: [{ content_types: ["application/pdf", "image/jpeg", "image/png"] }],
  }),
};

/** A field that an order of a kind will ask for. */
export const requirementDefinitionAnswer = z
  .object({ ...asked, ...told })
  .meta({ id: "RequirementDefinition" });

/** A field of an order (docs/contract/interface-specification.md, Requirement). */
export const requirementAnswer = z
  .object({
    ...asked,
    description: told.description.optional(),
    example: told.example.optional(),
    acceptance_criteria: told.acceptance_criteria.optional(),
    status: z.enum(REQUIREMENT_STATUSES),
    exception_reason: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "Why it was rejected; absent unless it is in exception" }),
    field_value: z
      .string()
      .nullable()
      .meta({ description: "Masked where it is sensitive; of a document, its id" }),
    document_date: timeText().nullable(),
  })
  .meta({ id: "Requirement" });

/** Whether an order may be submitted. */
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
