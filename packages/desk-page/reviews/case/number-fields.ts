import { readKey, valueKey } from "../../../../services/domain/requirement/rules/number-values.ts";
import type { CaseRequirement, ReviewCase } from "../reviews.ts";
import type { DraftVerdict } from "./draft.ts";

/** A field for each number's own value, named by its key: each has a verdict of its own. */
export function withNumberFields(review: ReviewCase): ReviewCase {
  const several = new Map(
    review.requirements.flatMap((one) => (one.values.length > 1 ? [[one.slug, one.values]] : [])),
  );
  if (several.size === 0) return review;
  const changed = review.changed_slugs.flatMap((slug) => {
    const values = several.get(slug)?.filter((value) => value.field_value !== value.previous_value);
    return values?.map((value) => valueKey(slug, value.phone_number)) ?? [slug];
  });
  const requirements = review.requirements.flatMap((one) =>
    several.has(one.slug) ? fieldsOf(one) : [one],
  );
  return { ...review, requirements, changed_slugs: changed };
}

function fieldsOf(requirement: CaseRequirement): CaseRequirement[] {
  return requirement.values.map(
    ({ phone_number: number, status, field_value, previous_value }) => ({
      ...requirement,
      ...{ status, field_value, previous_value },
      slug: valueKey(requirement.slug, number),
      name: `${requirement.name} ${number}`,
      values: [],
    }),
  );
}

export interface SentVerdict extends DraftVerdict {
  readonly phone_number?: string;
}

/** A verdict as the service takes it: on a requirement, or on one number's value of it. */
export function namedVerdict(verdict: DraftVerdict): SentVerdict {
  const { slug, phone_number } = readKey(verdict.slug);
  return phone_number === null ? verdict : { ...verdict, slug, phone_number };
}

/** The same for all: where each open value of a requirement is approved, one approval stands for them. */
export function namedVerdicts(
  verdicts: readonly DraftVerdict[],
  open: readonly CaseRequirement[],
): SentVerdict[] {
  const slugOf = ({ slug }: { readonly slug: string }): string => readKey(slug).slug;
  const slugs = [...new Set(verdicts.map(slugOf))];
  return slugs.flatMap((slug) => {
    const given = verdicts.filter((one) => slugOf(one) === slug);
    const [first] = given;
    const count = open.filter((one) => slugOf(one) === slug).length;
    const isWhole = given.length > 1 && given.length === count;
    const areApproved = given.every(({ decision }) => decision === "approve");
    return first !== undefined && isWhole && areApproved
      ? [{ ...first, slug }]
      : given.map(namedVerdict);
  });
}
