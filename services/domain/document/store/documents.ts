import { idRange } from "../../../platform/db/id-range.ts";
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

/** Many small files cost more than their bytes. */
const LEAST_CHARGED_BYTES = 1_048_576;

/** What a document counts against the bytes that an account may upload. */
export const chargedBytes = (size: number): number => Math.max(size, LEAST_CHARGED_BYTES);

/** What the account's documents since then count. */
export async function storedBytes(db: Queryable, accountId: string, since: Date): Promise<number> {
  const scan = { direction: "asc", cursorId: null, fetch: 1 } as const;
  const { above } = idRange(scan, { created_after: since });
  const [row] = await queryRows<{ bytes: number }>(db, {
    name: "document-bytes",
    text: `select coalesce(sum(greatest(size_bytes, ${LEAST_CHARGED_BYTES})), 0) as bytes from orders.documents
      where account_id = $1 and id > $2`,
    values: [accountId, above],
  });
  return row?.bytes ?? 0;
}

/** Documents of drafts that were deleted within these times; not those that are still to be checked or scanned. */
export async function documentsOfDeleted(
  db: Queryable,
  { since, until }: { readonly since: Date; readonly until: Date },
  limit: number,
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(db, {
    name: "document-of-deleted",
    text: `select d.id from orders.porting_orders o join orders.documents d on d.order_id = o.id
      where o.deleted_at > $1 and o.deleted_at <= $2
        and not exists (select from reviews.document_checks c where c.document_id = d.id)
        and not exists (
          select from reviews.document_scans s where s.document_id = d.id and s.state = 'waiting')
      limit $3`,
    values: [since, until, limit],
  });
  return rows.map(({ id }) => id);
}

/** Deletes rows whose files are removed already. */
export async function deleteDocuments(db: Queryable, ids: readonly string[]): Promise<void> {
  await queryRows(db, {
    name: "document-delete",
    text: "delete from orders.documents where id = any ($1::uuid[])",
    values: [ids],
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
