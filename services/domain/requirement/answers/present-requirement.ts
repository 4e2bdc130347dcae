import {
  fieldTypeOf,
  type RequirementDefinition,
} from "../../countries/fields/requirement-definition.ts";
import type { OrderRequirement } from "../rules/requirement.ts";
import { DOCUMENT_TYPES, MAX_DOCUMENT_BYTES } from "../../document/rules/accepted-documents.ts";

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
        ...(value.maxAgeDays === null ? {} : { max_age_days: value.maxAgeDays }),
      };
  }
}

type PresentedDefinition = ReturnType<typeof presented>;

/** Cached by definition, because every response with an order includes them. */
const PRESENTED = new WeakMap<RequirementDefinition, PresentedDefinition>();

/** A requirement as `GET /v2/porting_requirements` lists it. */
export function presentDefinition(definition: RequirementDefinition): PresentedDefinition {
  const known = PRESENTED.get(definition);
  if (known !== undefined) return known;
  const shown = presented(definition);
  PRESENTED.set(definition, shown);
  return shown;
}

function presented(definition: RequirementDefinition) {
  const { slug, name, description, mandatory, example } = definition;
  const field_type = fieldTypeOf(definition);
  const acceptance_criteria = criteriaOf(definition);
  return { slug, name, field_type, mandatory, description, example, acceptance_criteria };
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
    description: definition?.description,
    example: definition === null ? undefined : exampleOf(definition, phoneNumber),
    acceptance_criteria:
      definition === null ? undefined : presentDefinition(definition).acceptance_criteria,
    status,
    exception_reason: status === "requirement-info-exception" ? exception_reason : undefined,
    field_value: requirement.shown_value,
    document_date: requirement.document_date,
    check_state: requirement.check_state,
  };
}
