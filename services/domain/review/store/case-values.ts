import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { SecretBox } from "../../../platform/secret-box.ts";
import { unsealedValue, type SealedValue } from "../../requirement/store/requirement-values.ts";
import type { CaseKey } from "./cases.ts";

/** What stood in a requirement when a case was opened. */
export interface CaseValue {
  readonly slug: string;
  /** The whole value, decrypted if sensitive; null for a document. */
  readonly value: string | null;
  /** As it can be read back: masked if it is sensitive; for a document, its id. */
  readonly shown_value: string | null;
  readonly document_id: string | null;
}

type Row = Omit<CaseValue, "shown_value"> & SealedValue & { readonly masked_value: string | null };

/** The values at the attempt before; none for the first attempt, and for cases from before values were kept. */
export async function readPreviousValues(
  db: Queryable,
  box: SecretBox,
  { orderId, attempt }: CaseKey,
): Promise<CaseValue[]> {
  if (attempt === 1) return [];
  const rows = await queryRows<Row>(db, {
    name: "case-values-before",
    text: `select v.slug, v.value, v.sealed_value, v.sealed_key_id, v.masked_value, v.document_id
      from reviews.case_values v
      where v.order_id = $1 and v.attempt =
        (select max(c.attempt) from reviews.cases c where c.order_id = $1 and c.attempt < $2)`,
    values: [orderId, attempt],
  });
  return rows.map((row) => ({
    slug: row.slug,
    value: row.value ?? unsealedValue(box, { orderId, slug: row.slug }, row),
    shown_value: row.value ?? row.masked_value ?? row.document_id,
    document_id: row.document_id,
  }));
}

/** The requirements whose value is that of the attempt before; not those that are encrypted, which cannot be compared. */
export async function readUnchangedSlugs(
  db: Queryable,
  { orderId, attempt }: CaseKey,
): Promise<ReadonlySet<string>> {
  if (attempt === 1) return new Set();
  const rows = await queryRows<Pick<CaseValue, "slug">>(db, {
    name: "case-values-unchanged",
    text: `select r.slug from orders.requirements r
      join reviews.case_values v on v.order_id = r.order_id and v.slug = r.slug
      where r.order_id = $1 and (r.value = v.value or r.document_id = v.document_id) and v.attempt =
        (select max(c.attempt) from reviews.cases c where c.order_id = $1 and c.attempt < $2)`,
    values: [orderId, attempt],
  });
  return new Set(rows.map(({ slug }) => slug));
}
