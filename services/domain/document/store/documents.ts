import { idRange } from "../../../platform/db/id-range.ts";
import {
  insertInto,
  recordset,
  recordsetValue,
  type Columns,
  type RowOf,
} from "../../../platform/db/recordset.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import { AppError } from "../../../platform/errors.ts";
import { isUuid, uuidIn } from "../../../platform/ids.ts";
import type { Document, StoredDocument, Upload } from "../rules/document.ts";

const COLUMNS = "id, account_id, order_id, slug, content_type, size_bytes, sha256, created_at";

export const DOCUMENT_ROW = {
  id: "uuid",
  account_id: "uuid",
  order_id: "uuid",
  slug: "text",
  content_type: "text",
  size_bytes: "integer",
  sha256: "text",
  created_at: "timestamptz",
  page_texts: "text[]",
  document_date: "timestamptz",
  used_at: "timestamptz",
} as const satisfies Columns;

/** An upload counts as used when it arrives. */
export function documentRows(files: readonly StoredDocument[]): RowOf<typeof DOCUMENT_ROW>[] {
  return files.map(({ document, pageTexts: page_texts }) => {
    const { order_id, created_at, document_date = null } = document;
    const used_at = order_id === null ? created_at : null;
    return { ...document, page_texts, document_date, used_at };
  });
}

/** Inserts documents' rows; their files must already be stored. */
export async function insertDocuments(
  tx: Queryable,
  files: readonly StoredDocument[],
): Promise<void> {
  if (files.length === 0) return;
  await queryRows(tx, {
    name: "document-insert",
    text: insertInto("orders.documents", DOCUMENT_ROW, recordset("$1", DOCUMENT_ROW)),
    values: [recordsetValue(DOCUMENT_ROW, documentRows(files))],
  });
}

/** An account's uploads with these ids, as sent; what is no id of one is left out. */
export async function findUploads(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Upload>> {
  const uuids = ids.filter((id) => uuidIn(id) !== null);
  if (uuids.length === 0) return new Map();
  const rows = await queryRows<Upload>(db, {
    name: "document-uploads",
    text: `select ${COLUMNS}, document_date from orders.documents
      where account_id = $1 and id = any ($2::uuid[]) and order_id is null`,
    values: [accountId, uuids],
  });
  const found = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    uuids.flatMap((id) => {
      const upload = found.get(id.toLowerCase());
      return upload === undefined ? [] : [[id, upload] as const];
    }),
  );
}

/** Uploads that orders get copies of stay as long again. */
export async function noteUses(db: Queryable, ids: readonly string[], now: Date): Promise<void> {
  await queryRows(db, {
    name: "document-used",
    text: "update orders.documents set used_at = $2 where id = any ($1::uuid[])",
    values: [ids, now],
  });
}

/** Uploads that nothing has used since then, and that no requirement group names. */
export async function findLapsedUploads(
  db: Queryable,
  since: Date,
  limit: number,
): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(db, {
    name: "document-lapsed",
    text: `select id from orders.documents d
      where order_id is null and used_at < $1 and not exists (
        select from orders.requirement_groups g where g.account_id = d.account_id and d.id = any (g.document_ids)
      ) limit $2`,
    values: [since, limit],
  });
  return rows.map(({ id }) => id);
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
