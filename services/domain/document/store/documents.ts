import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { isUuid } from "../../../platform/ids.ts";
import type { Document } from "../rules/document.ts";

const COLUMNS = "id, account_id, order_id, slug, content_type, size_bytes, sha256, created_at";

/**
 * Inserts a document's row; its file must already be stored. `pageTexts`: what each page states of a letter that we
 * printed; null for an upload, whose text is what is found in its file.
 */
export async function insertDocument(
  tx: Queryable,
  document: Document,
  pageTexts: readonly string[] | null = null,
): Promise<void> {
  await queryRows(tx, {
    name: "document-insert",
    text: `insert into orders.documents (${COLUMNS}, page_texts) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [
      document.id,
      document.account_id,
      document.order_id,
      document.slug,
      document.content_type,
      document.size_bytes,
      document.sha256,
      document.created_at,
      pageTexts,
    ],
  });
}

/** Finds an account's document. @throws `not_found` */
export async function findDocument(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<Document> {
  const [row] = await queryRows<Document>(db, {
    name: "document-find",
    text: `select ${COLUMNS} from orders.documents where account_id = $1 and id = $2`,
    values: [accountId, id],
  });
  if (row === undefined) throw notFound();
  return row;
}

/** Finds a document of any account. @throws `not_found` */
export async function findAnyDocument(db: Queryable, id: string): Promise<Document> {
  const [row] = await queryRows<Document>(db, {
    name: "document-find-any",
    text: `select ${COLUMNS} from orders.documents where id = $1`,
    values: [id],
  });
  if (row === undefined) throw notFound();
  return row;
}

/** All documents ever sent for an order, including replaced ones, oldest first. */
export async function listOrderDocuments(db: Queryable, orderId: string): Promise<Document[]> {
  return queryRows<Document>(db, {
    name: "document-of-order",
    text: `select ${COLUMNS} from orders.documents where order_id = $1 order by id`,
    values: [orderId],
  });
}

/** Which of the ids are documents; files with other ids are orphans. */
export async function findDocumentIds(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ id: string }>(db, {
    name: "document-ids",
    text: "select id from orders.documents where id = any ($1::uuid[])",
    values: [ids.filter(isUuid)],
  });
  return new Set(rows.map((row) => row.id));
}

function notFound(): AppError {
  return new AppError("not_found", "There is no such document.");
}
