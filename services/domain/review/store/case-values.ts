import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { SecretBox } from "../../../platform/secret-box.ts";
import {
  unsealedValue,
  type RequirementRef,
  type SealedValue,
} from "../../requirement/store/requirement-values.ts";
import { readKey } from "../../requirement/rules/number-values.ts";
import type { CaseKey } from "./cases.ts";

/** What stood in a requirement when a case was opened. */
export interface CaseValue {
  readonly slug: string;
  readonly phone_number: string | null;
  /** The whole value, decrypted if sensitive; null for a document. */
  readonly value: string | null;
  /** As it can be read back: masked if it is sensitive; for a document, its id. */
  readonly shown_value: string | null;
  readonly document_id: string | null;
}

type Row = Omit<CaseValue, "shown_value" | "phone_number"> &
  SealedValue & { readonly masked_value: string | null };

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
    ...readKey(row.slug),
    value: row.value ?? unsealedValue(box, { orderId, slug: row.slug }, row),
    shown_value: row.value ?? row.masked_value ?? row.document_id,
    document_id: row.document_id,
  }));
}

interface ComparedRow {
  readonly slug: string;
  readonly is_same: boolean | null;
  readonly now_value: Buffer | null;
  readonly now_key_id: string | null;
  readonly before_value: Buffer | null;
  readonly before_key_id: string | null;
}

/** The requirements, and by their keys the values of numbers, that are as at the attempt before. */
export async function readUnchangedSlugs(
  db: Queryable,
  box: SecretBox,
  { orderId, attempt }: CaseKey,
): Promise<ReadonlySet<string>> {
  if (attempt === 1) return new Set();
  const rows = await queryRows<ComparedRow>(db, {
    name: "case-values-unchanged",
    text: `select r.slug, r.value = v.value or r.document_id = v.document_id as is_same,
        r.sealed_value as now_value, r.sealed_key_id as now_key_id,
        v.sealed_value as before_value, v.sealed_key_id as before_key_id
      from orders.requirements r
      join reviews.case_values v on v.order_id = r.order_id and v.slug = r.slug
      where r.order_id = $1 and v.attempt =
        (select max(c.attempt) from reviews.cases c where c.order_id = $1 and c.attempt < $2)`,
    values: [orderId, attempt],
  });
  const isSame = (row: ComparedRow) =>
    row.is_same === true || isSameSecret(box, { orderId, slug: row.slug }, row);
  return new Set(rows.filter(isSame).map(({ slug }) => slug));
}

/** Equal texts are never sealed alike, so they are opened; one whose key is gone counts as another. */
function isSameSecret(box: SecretBox, ref: RequirementRef, row: ComparedRow): boolean {
  try {
    const [now, before] = [
      { sealed_value: row.now_value, sealed_key_id: row.now_key_id },
      { sealed_value: row.before_value, sealed_key_id: row.before_key_id },
    ].map((sealed) => unsealedValue(box, ref, sealed));
    return now != null && now === before;
  } catch {
    return false;
  }
}
