import type { CaseDocument, ReviewCase } from "../types.ts";
import { inReadingOrder } from "./field-order.ts";

export interface ShownDocument {
  readonly document: CaseDocument;
  /** The requirement's name. */
  readonly name: string;
  /** What stood there at the attempt before, where it was another. */
  readonly previous: CaseDocument | null;
}

/** The documents to decide about, in the order in which the fields are read. */
export function currentDocuments(review: ReviewCase): readonly ShownDocument[] {
  const find = finder(review);
  return inReadingOrder(review).flatMap((one) => {
    if (one.document_id === null) return [];
    const document = find(one.document_id);
    if (document === null) return [];
    const isOther = one.previous_document_id !== one.document_id;
    const previous = isOther ? find(one.previous_document_id) : null;
    return [{ document, name: one.name, previous }];
  });
}

/** Files that were replaced since, the latest first. */
export function earlierDocuments(review: ReviewCase): readonly ShownDocument[] {
  const current = new Set(review.requirements.map(({ document_id: id }) => id));
  const names = new Map(review.requirements.map(({ slug, name }) => [slug, name]));
  return review.documents
    .filter(({ id }) => !current.has(id))
    .toSorted((one, other) => other.created_at.localeCompare(one.created_at))
    .map((document) => ({
      document,
      name: names.get(document.slug) ?? document.slug,
      previous: null,
    }));
}

function finder({ documents }: ReviewCase) {
  return (id: string | null): CaseDocument | null =>
    documents.find((document) => document.id === id) ?? null;
}

/** The document whose text holds a value, `shown` itself if it does; null where the service found it in none. */
export function documentWith(
  { requirements }: Pick<ReviewCase, "requirements">,
  value: string,
  shown: string | null,
): string | null {
  const holders = requirements
    .filter(({ matches }) => matches.some((match) => match.value === value && match.found))
    .map(({ document_id: id }) => id);
  return holders.find((id) => id === shown) ?? holders[0] ?? null;
}
