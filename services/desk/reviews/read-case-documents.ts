import type { Document } from "../../domain/document/rules/document.ts";
import type { CaseKey } from "../../domain/review/store/cases.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { CaseDocuments } from "./present-document.ts";
import { listCaseDocuments } from "./store/case-documents.ts";

export interface DocumentsOfCase {
  /** All documents ever given to the order, the oldest first. */
  readonly documents: readonly Document[];
  readonly ofDocuments: CaseDocuments;
}

/** The documents of an order, and what was read and found in those of a case. */
export async function readCaseDocuments(db: Queryable, key: CaseKey): Promise<DocumentsOfCase> {
  const rows = await listCaseDocuments(db, key);
  const readings = rows.flatMap(({ id, read_as: slug, pages, found }) =>
    slug === null ? [] : [{ slug, document_id: id, pages, found }],
  );
  const scans = rows.flatMap(({ id, scan_state: state, signature }) =>
    state === null ? [] : [{ document_id: id, state, signature }],
  );
  return { documents: rows, ofDocuments: { readings, scans } };
}
