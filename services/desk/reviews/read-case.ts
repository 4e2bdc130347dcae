import type { Document } from "../../domain/document/rules/document.ts";
import { listComments } from "../../domain/order/store/comments.ts";
import { readRequirementValues } from "../../domain/requirement/store/requirement-values.ts";
import type { ReviewCase } from "../../domain/review/rules/review-case.ts";
import { listAccountCases, type AccountCase } from "./store/account-cases.ts";
import { readPreviousValues } from "../../domain/review/store/case-values.ts";
import { findLatestCase, listEarlierCases, type CaseKey } from "../../domain/review/store/cases.ts";
import { idRange } from "../../platform/db/id-range.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { listNotes } from "../notes/store/notes.ts";
import { findPersons } from "../operators/store/persons.ts";
import { findAnyOrder } from "../orders/store/desk-orders.ts";
import type { CaseFile } from "./present-case.ts";
import type { CaseDocuments } from "./present-document.ts";
import { listCaseDocuments } from "./store/case-documents.ts";

const MOST_SHOWN = 250;
const LATEST = { direction: "desc", cursorId: null, fetch: MOST_SHOWN + 1 } as const;

/** The latest case of an order with all its data. @throws `not_found` before the first submission */
export async function readCase(db: Queryable, box: SecretBox, orderId: string): Promise<CaseFile> {
  const one = await findLatestCase(db, orderId, "read");
  const order = await findAnyOrder(db, orderId);
  const range = idRange(LATEST, {});
  const key = { orderId, attempt: one.attempt };
  const [values, previous, comments, notes, ofOrder, earlier, ofAccount] = await Promise.all([
    readRequirementValues(db, box, orderId),
    readPreviousValues(db, box, key),
    listComments(db, { orderId, audience: "desk", range }),
    listNotes(db, orderId),
    readCaseDocuments(db, key),
    listEarlierCases(db, orderId, one.attempt),
    listAccountCases(db, one),
  ]);
  const personOf = await findPersons(db, operatorsOf([one, ...earlier], ofAccount));
  return {
    ...{ order, one, values, previous, notes, earlier, ofAccount, personOf },
    ...ofOrder,
    comments: comments.rows.toReversed(),
  };
}

/** Every operator whom the case names. */
function operatorsOf(cases: readonly ReviewCase[], others: readonly AccountCase[]): string[] {
  const named = cases.flatMap(({ claimed_by, handover, decided_by, decisions }) => [
    claimed_by,
    handover?.from ?? null,
    handover?.by ?? null,
    decided_by,
    ...decisions.map((verdict) => verdict.operator_id),
  ]);
  return [...named, ...others.map((one) => one.decided_by)].filter((id) => id !== null);
}

export interface DocumentsOfCase {
  /** All documents ever given to the order, the oldest first. */
  readonly documents: readonly Document[];
  readonly ofDocuments: CaseDocuments;
}

/** The documents of an order, and what was read and found in those of a case. */
async function readCaseDocuments(db: Queryable, key: CaseKey): Promise<DocumentsOfCase> {
  const rows = await listCaseDocuments(db, key);
  const readings = rows.flatMap(({ id, read_as: slug, pages, found }) =>
    slug === null ? [] : [{ slug, document_id: id, pages, found }],
  );
  const scans = rows.flatMap(({ id, scan_state: state, signature }) =>
    state === null ? [] : [{ document_id: id, state, signature }],
  );
  return { documents: rows, ofDocuments: { readings, scans } };
}
