import type { Queryable } from "../../platform/db/transaction.ts";
import type { CaseKey } from "../../domain/review/store/cases.ts";
import { listScans } from "../document-scan/store/document-scans.ts";
import type { CaseDocuments } from "./present-document.ts";
import { listReadings } from "./store/document-readings.ts";

/** What was read and found in the documents of a case. */
export async function readCaseDocuments(
  db: Queryable,
  { orderId, attempt }: CaseKey,
): Promise<CaseDocuments> {
  const [readings, scans] = await Promise.all([
    listReadings(db, { order_id: orderId, attempt }),
    listScans(db, orderId),
  ]);
  return { readings, scans };
}
