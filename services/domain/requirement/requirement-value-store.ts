import type { Queryable } from "../../platform/db/transaction.ts";
import { queryRows } from "../../platform/db/transaction.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { maskValue } from "./mask-value.ts";
import type { RequirementDefinition } from "./requirement-definition.ts";

/** A value whole, sensitive ones in the clear: for the letter, the carrier, and the desk that compares them. */
export interface RequirementValue {
  readonly slug: string;
  readonly value: string | null;
  readonly document_id: string | null;
}

export interface RequirementRef {
  readonly orderId: string;
  readonly slug: string;
}

/** A value lies in one place of its row; the other places are emptied. */
interface StoredValue {
  readonly value: string | null;
  readonly sealed_value: Buffer | null;
  readonly sealed_key_id: string | null;
  readonly masked_value: string | null;
  readonly document_id: string | null;
  readonly document_date: Date | null;
}

const EMPTY: StoredValue = {
  value: null,
  sealed_value: null,
  sealed_key_id: null,
  masked_value: null,
  document_id: null,
  document_date: null,
};

function aadOf({ orderId, slug }: RequirementRef): string {
  return `${orderId}/${slug}`;
}

export function emptyValue(): StoredValue {
  return EMPTY;
}

export function documentValue(documentId: string, documentDate: Date): StoredValue {
  return { ...EMPTY, document_id: documentId, document_date: documentDate };
}

/** A sensitive text is sealed to its row; what may be read back of it lies beside. */
export function textValue(
  box: SecretBox,
  ref: RequirementRef,
  { definition, text }: { readonly definition: RequirementDefinition; readonly text: string },
): StoredValue {
  if (definition.sensitivity === "no") return { ...EMPTY, value: text };
  const { bytes, keyId } = box.seal(text, aadOf(ref));
  const masked = maskValue(text, definition.sensitivity);
  return { ...EMPTY, sealed_value: bytes, sealed_key_id: keyId, masked_value: masked };
}

/** Puts a value into its row; the caller holds the order's lock. */
export async function storeRequirementValue(
  tx: Queryable,
  ref: RequirementRef,
  stored: StoredValue,
  now: Date,
): Promise<void> {
  await queryRows(tx, {
    name: "requirement-value",
    text: `update orders.requirements set value = $3, sealed_value = $4, sealed_key_id = $5,
        masked_value = $6, document_id = $7, document_date = $8, updated_at = $9
      where order_id = $1 and slug = $2`,
    values: [
      ref.orderId,
      ref.slug,
      stored.value,
      stored.sealed_value,
      stored.sealed_key_id,
      stored.masked_value,
      stored.document_id,
      stored.document_date,
      now,
    ],
  });
}

type ValueRow = Omit<StoredValue, "document_date" | "masked_value"> & { readonly slug: string };

/** All fields of an order with their values in the clear, in the catalogue's order. */
export async function readRequirementValues(
  db: Queryable,
  box: SecretBox,
  orderId: string,
): Promise<RequirementValue[]> {
  const rows = await queryRows<ValueRow>(db, {
    name: "requirement-values",
    text: `select slug, value, sealed_value, sealed_key_id, document_id from orders.requirements
      where order_id = $1 order by position`,
    values: [orderId],
  });
  return rows.map((row) => ({
    slug: row.slug,
    value: row.value ?? unsealed(box, orderId, row),
    document_id: row.document_id,
  }));
}

function unsealed(box: SecretBox, orderId: string, row: ValueRow): string | null {
  if (row.sealed_value === null || row.sealed_key_id === null) return null;
  const sealed = { bytes: row.sealed_value, keyId: row.sealed_key_id };
  return box.open(sealed, aadOf({ orderId, slug: row.slug }));
}
