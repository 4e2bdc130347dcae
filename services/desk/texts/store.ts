import { queryRows, type Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";

/** A text with which an operator rejects a requirement. */
interface RejectionText {
  readonly id: string;
  readonly slug: string;
  readonly code: string | null;
  readonly text: string;
  readonly created_at: Date;
}

const MOST = 50;
const COLUMNS = "id, slug, code, text, created_at";

/** The operator's texts, the latest first. */
export async function listTexts(db: Queryable, operatorId: string): Promise<RejectionText[]> {
  return queryRows<RejectionText>(db, {
    name: "rejection-texts",
    text: `select ${COLUMNS} from accounts.rejection_texts where operator_id = $1 order by id desc`,
    values: [operatorId],
  });
}

/** One of the operator's texts. @throws `not_found` */
export async function findText(
  db: Queryable,
  operatorId: string,
  id: string,
): Promise<RejectionText> {
  const found = (await listTexts(db, operatorId)).find((one) => one.id === id);
  if (found === undefined) throw new AppError("not_found", "You have no such text.");
  return found;
}

/** Saves a text, or finds it where it is saved already. @throws `quota_exceeded` */
export async function saveText(
  tx: Queryable,
  operatorId: string,
  { id, slug, code, text, created_at }: RejectionText,
): Promise<RejectionText> {
  await queryRows(tx, {
    name: "rejection-text-save",
    text: `insert into accounts.rejection_texts (operator_id, ${COLUMNS}) values ($1, $2, $3, $4, $5, $6)
      on conflict (operator_id, slug, text) do nothing`,
    values: [operatorId, id, slug, code, text, created_at],
  });
  const all = await listTexts(tx, operatorId);
  if (all.length > MOST) {
    throw new AppError(
      "quota_exceeded",
      `An operator has ${MOST} texts at most. Remove one first.`,
    );
  }
  const saved = all.find((one) => one.slug === slug && one.text === text);
  if (saved === undefined) throw new TypeError("what was saved is there");
  return saved;
}

export async function deleteText(tx: Queryable, id: string): Promise<void> {
  const text = "delete from accounts.rejection_texts where id = $1";
  await queryRows(tx, { name: "rejection-text-delete", text, values: [id] });
}
