import { z } from "zod";
import { numberText, timeText } from "../../../platform/http/routing/answer-fields.ts";
import {
  fieldTypeOf,
  type RequirementDefinition,
} from "../../countries/fields/requirement-definition.ts";
import { DOCUMENT_TYPES, MAX_DOCUMENT_BYTES } from "../../document/rules/document.ts";
import { maxAgeDaysOf, type CountryTerms } from "../../terms/rules/country-terms.ts";
import type { OrderRequirement } from "../rules/requirement.ts";

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
  scope: z.enum(["order", "number"]).meta({
    id: "RequirementScope",
    description: "Whether one value is for the whole order, or each of its numbers has its own",
  }),
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

const requirementStatus = z
  .enum(REQUIREMENT_STATUSES)
  .meta({ id: "RequirementStatus", description: "Where the requirement stands in review" });

const numberValueAnswer = z
  .object({
    phone_number: numberText("Whose value it is"),
    field_value: z
      .string()
      .nullable()
      .meta({
        description: "Masked if it is sensitive; null until it is given",
        examples: ["01P12345636Q"],
      }),
    status: requirementStatus,
    exception_reason: z
      .string()
      .nullable()
      .meta({
        description: "Why this value was rejected; null unless it is in exception",
        examples: [null],
      }),
    example: explained.example.optional(),
  })
  .meta({ id: "NumberValue", description: "The value of one number" });

/** A requirement of an order (docs/contract/interface-specification.md, Requirement). */
export const requirementAnswer = z
  .object({
    ...asked,
    description: explained.description.optional(),
    example: explained.example.optional(),
    acceptance_criteria: explained.acceptance_criteria.optional(),
    status: requirementStatus,
    exception_reason: z.string().nullable().optional().meta({
      description: "Why the value was rejected; absent unless the requirement is in exception",
    }),
    field_value: z.string().nullable().meta({
      description:
        "Masked if it is sensitive; for a document, its id; null where several numbers have values of their own",
    }),
    values: z.array(numberValueAnswer).optional().meta({
      description:
        "Of each number, in the order's sequence; absent unless the scope is `number`. The requirement is approved once all are, and in exception while one is",
    }),
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
          slug: z.string().meta({
            description: "The requirement's slug, or `foc_requested` where the port date blocks",
            examples: ["loa"],
          }),
          code: z
            .enum([
              "missing",
              "exception",
              "checking",
              "check_failed",
              "document_too_old",
              "foc_not_possible",
            ])
            .meta({ description: "Why it blocks; `checking` passes by itself" }),
          detail: z.string().meta({
            description: "Why it blocks, for people",
            examples: ["It has no value yet."],
          }),
        }),
      )
      .meta({ description: "What blocks; empty if the order is ready" }),
    detail: z.string().nullable().meta({
      description:
        "Why the order is not ready whatever its requirements: the porting desk settles its rejection with the carrier. Null otherwise",
    }),
  })
  .meta({ id: "Readiness", description: "Whether an order can be submitted" });

/** The criteria of an acceptable value, for people and for generated forms. */
function criteriaOf({ value }: RequirementDefinition): Record<string, unknown> {
  switch (value.format) {
    case "text":
      return {
        min_length: value.minLength,
        max_length: value.maxLength,
        ...(value.shape === undefined ? {} : { pattern: value.shape.pattern.source }),
      };
    case "code":
      return { format: value.code.name, pattern: value.code.pattern.source };
    case "phone_number":
      return { format: "E.164" };
    case "address":
      return {
        lines: ["street", "locality", "administrative_area postal_code", "country"],
        country: value.country,
        ...(value.abroad === undefined
          ? {}
          : { countries: [value, ...value.abroad].map(({ country }) => country) }),
        ...(value.area === null ? {} : { administrative_area_pattern: value.area.pattern.source }),
        postal_code_pattern: value.postalCode.pattern.source,
      };
    case "date":
      return { format: "YYYY-MM-DD", ...(value.isPast ? { before: "today" } : {}) };
    case "choice":
      return { options: value.options };
    case "document":
      return {
        content_types: DOCUMENT_TYPES,
        max_bytes: MAX_DOCUMENT_BYTES,
      };
  }
}

type PresentedDefinition = ReturnType<typeof present>;

/** Cached by definition, because every response with an order includes them. */
const PRESENTED = new WeakMap<RequirementDefinition, PresentedDefinition>();

/** A requirement as `GET /v2/porting_requirements` lists it, with the country's terms. */
export function presentDefinition(
  definition: RequirementDefinition,
  terms: CountryTerms | null,
  numberType: string,
): PresentedDefinition {
  const age = maxAgeDaysOf(terms, numberType, definition);
  return { ...presented(definition), acceptance_criteria: acceptanceOf(definition, age) };
}

function presented(definition: RequirementDefinition): PresentedDefinition {
  const known = PRESENTED.get(definition);
  if (known !== undefined) return known;
  const shown = present(definition);
  PRESENTED.set(definition, shown);
  return shown;
}

function present(definition: RequirementDefinition) {
  const { slug, name, description, mandatory, scope, example } = definition;
  const field_type = fieldTypeOf(definition);
  const acceptance_criteria = criteriaOf(definition);
  return { slug, name, field_type, mandatory, scope, description, example, acceptance_criteria };
}

/** The criteria of a value, with the age that a document may have, in days. */
function acceptanceOf(
  definition: RequirementDefinition,
  maxAgeDays: number | null,
): Record<string, unknown> {
  const { acceptance_criteria } = presented(definition);
  return maxAgeDays === null
    ? acceptance_criteria
    : { ...acceptance_criteria, max_age_days: maxAgeDays };
}

/** The example of a code that belongs to a number is one of the order's own, because no other is accepted. */
function exampleOf({ value, example }: RequirementDefinition, phoneNumber: string): string {
  if (value.format !== "code" || value.code.ofNumber === undefined) return example;
  return value.code.ofNumber.example(phoneNumber);
}

/**
 * A requirement of an order as the API returns it, with the order's first number; `exception_reason` is absent unless it
 * is in exception, and the catalogue's texts are absent where it no longer has a definition. Each field is named, because
 * lists have hundreds of requirements and a spread takes hundreds of times as long.
 */
export function presentRequirement(
  requirement: OrderRequirement,
  definition: RequirementDefinition | null,
  phoneNumber: string,
): Record<string, unknown> {
  const { slug, field_type, mandatory, status, exception_reason } = requirement;
  return {
    slug,
    name: definition?.name ?? slug,
    field_type,
    mandatory,
    scope: requirement.scope,
    description: definition?.description,
    example: definition === null ? undefined : exampleOf(definition, phoneNumber),
    acceptance_criteria:
      definition === null ? undefined : acceptanceOf(definition, requirement.max_age_days),
    status,
    exception_reason: status === "requirement-info-exception" ? exception_reason : undefined,
    field_value: requirement.shown_value,
    values: requirement.scope === "number" ? presentValues(requirement, definition) : undefined,
    document_date: requirement.document_date,
    check_state: requirement.check_state,
  };
}

function presentValues(
  { values }: OrderRequirement,
  definition: RequirementDefinition | null,
): Record<string, unknown>[] {
  return values.map(({ phone_number, status, exception_reason, shown_value }) => ({
    phone_number,
    field_value: shown_value,
    status,
    exception_reason: status === "requirement-info-exception" ? exception_reason : null,
    example: definition === null ? undefined : exampleOf(definition, phone_number),
  }));
}
