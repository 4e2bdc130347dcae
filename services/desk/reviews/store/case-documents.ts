import type { Document } from "../../../domain/document/rules/document.ts";
import type { FoundValue } from "../../../domain/document/rules/check-result.ts";
import type { CaseKey } from "../../../domain/review/store/cases.ts";
import { queryRows, type Queryable } from "../../../platform/db/transaction.ts";

/** What was read from a document of a case; `found` is null until it is read. */
export interface StoredReading {
  readonly slug: string;
  readonly document_id: string;
  readonly pages: number | null;
  readonly found: readonly FoundValue[] | null;
}

/** What the virus scanner said of a document. */
export interface StoredScan {
  readonly document_id: string;
  readonly state: "waiting" | "clean" | "infected";
  readonly signature: string | null;
}

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
  { orderId, attempt }: CaseKey,
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
    values: [orderId, attempt],
  });
}

/** The scans of an order's documents. */
export async function listScans(db: Queryable, orderId: string): Promise<StoredScan[]> {
  return queryRows<StoredScan>(db, {
    name: "document-scan-list",
    text: `select s.document_id, s.state, s.signature from reviews.document_scans s
      where s.document_id in (select id from orders.documents where order_id = $1)`,
    values: [orderId],
  });
}
