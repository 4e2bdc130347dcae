import { listOrderDocuments } from "../../domain/document/store/documents.ts";
import { listComments } from "../../domain/order/store/comments.ts";
import { findAnyOrder } from "../orders/store/desk-orders.ts";
import { readRequirementValues } from "../../domain/requirement/store/requirement-values.ts";
import { findLatestCase, listEarlierCases } from "../../domain/review/store/cases.ts";
import { idRange } from "../../platform/db/id-range.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { CaseFile } from "./present-case.ts";

const MAX_COMMENTS = 250;
const LATEST = { direction: "desc", cursorId: null, fetch: MAX_COMMENTS } as const;

/** The latest case of an order with all its data. @throws `not_found` before the first submission */
export async function readCase(db: Queryable, box: SecretBox, orderId: string): Promise<CaseFile> {
  const one = await findLatestCase(db, orderId, "read");
  const order = await findAnyOrder(db, orderId);
  const values = await readRequirementValues(db, box, orderId);
  const range = idRange(LATEST, {});
  const comments = await listComments(db, { orderId, audience: "desk", range });
  const earlier = await listEarlierCases(db, orderId, one.attempt);
  const documents = await listOrderDocuments(db, orderId);
  return { order, one, values, documents, comments: comments.reverse(), earlier };
}
