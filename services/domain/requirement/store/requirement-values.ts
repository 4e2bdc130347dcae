import type { Columns, RowOf } from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { SecretBox } from "../../../platform/secret-box.ts";
import { readKey } from "../rules/number-values.ts";
import { maskValue } from "../rules/requirement.ts";
import type { RequirementDefinition } from "../../countries/fields/requirement-definition.ts";

/** A full value, decrypted if sensitive, for carriers and for the desk that compares it with the documents. */
export interface RequirementValue {
  readonly slug: string;
  /** Whose value it is, where each number has its own. */
  readonly phone_number: string | null;
  readonly value: string | null;
  readonly document_id: string | null;
}

export interface RequirementRef {
  readonly orderId: string;
  /** The requirement's slug, or the key of a number's value in it. */
  readonly slug: string;
}

/** The columns of a value: plain, sealed or a document; the others are null. */
export const VALUE_COLUMNS = {
  value: "text",
  sealed_value: "bytea",
  sealed_key_id: "text",
  masked_value: "text",
  document_id: "uuid",
  document_date: "timestamptz",
} as const satisfies Columns;

/** A value as it is stored. */
export type StoredValue = RowOf<typeof VALUE_COLUMNS>;

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

/** Sensitive text is encrypted and bound to its row; its masked form is stored beside it. */
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

type ValueRow = Omit<StoredValue, "document_date" | "masked_value"> & { readonly slug: string };

/** All requirements of an order with decrypted values, in profile order; of a requirement per number, in theirs. */
export async function readRequirementValues(
  db: Queryable,
  box: SecretBox,
  orderId: string,
): Promise<RequirementValue[]> {
  const rows = await queryRows<ValueRow>(db, {
    name: "requirement-values",
    text: `select (i.item->>'slug') || coalesce(n.phone_number, '') as slug, r.value, r.sealed_value, r.sealed_key_id, r.document_id
      from orders.porting_orders o
      join orders.requirement_profiles p on p.id = o.requirement_profile_id
      cross join jsonb_array_elements(p.items) with ordinality i (item, nth)
      left join orders.order_numbers n on n.order_id = o.id and i.item->>'scope' = 'number'
      left join orders.requirements r
        on r.order_id = o.id and r.slug = (i.item->>'slug') || coalesce(n.phone_number, '')
      where o.id = $1 order by i.nth, n.position`,
    values: [orderId],
  });
  return rows.map((row) => ({
    ...readKey(row.slug),
    value: row.value ?? unsealedValue(box, { orderId, slug: row.slug }, row),
    document_id: row.document_id,
  }));
}

export type SealedValue = Pick<StoredValue, "sealed_value" | "sealed_key_id">;

/** A stored value as another order has it: what is sealed is bound to its row. */
export function resealedFor<Row extends SealedValue & { order_id: string; slug: string }>(
  box: SecretBox,
  row: Row,
  orderId: string,
): Row {
  const { order_id: from, slug } = row;
  const text = unsealedValue(box, { orderId: from, slug }, row);
  if (text === null) return { ...row, order_id: orderId };
  const { bytes, keyId } = box.seal(text, aadOf({ orderId, slug }));
  return { ...row, order_id: orderId, sealed_value: bytes, sealed_key_id: keyId };
}

/** The text that `textValue` sealed; null if nothing is sealed. */
export function unsealedValue(
  box: SecretBox,
  ref: RequirementRef,
  { sealed_value: bytes, sealed_key_id: keyId }: SealedValue,
): string | null {
  return bytes === null || keyId === null ? null : box.open({ bytes, keyId }, aadOf(ref));
}
