import type { Document } from "../../../domain/document/rules/document.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";
import type { StoredScan } from "../../../requirement-review/document-scan/store/document-scans.ts";
import type { ReadingKey, StoredReading } from "../../../requirement-review/document-reading/store/document-readings.ts";

/** A document of an order, with its reading for the case and its scan; columns of what it lacks are null. */
export interface CaseDocumentRow
  extends Document, Pick<StoredReading, "pages" | "found">, Pick<StoredScan, "signature"> {
  /** The requirement in which the case has it. */
  readonly read_as: string | null;
  readonly scan_state: StoredScan["state"] | null;
}

/** All documents ever sent for an order, including replaced ones, oldest first. */
export async function listCaseDocuments(
  db: Queryable,
  { order_id, attempt }: ReadingKey,
): Promise<CaseDocumentRow[]> {
  return queryRows<CaseDocumentRow>(db, {
    name: "case-documents",
    text: `select d.id, d.account_id, d.order_id, d.slug, d.content_type, d.size_bytes, d.sha256, d.created_at,
        r.slug as read_as, r.pages, r.found, s.state as scan_state, s.signature
      from orders.documents d
      left join reviews.document_readings r
        on r.order_id = d.order_id and r.attempt = $2 and r.document_id = d.id
      left join reviews.document_scans s on s.document_id = d.id
      where d.order_id = $1 order by d.id`,
    values: [order_id, attempt],
  });
}
