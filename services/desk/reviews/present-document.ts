import { SLUG_OF } from "../../domain/document/rules/check-result.ts";
import type { DocumentCheckAnswer, MatchAnswer } from "./document-answers.ts";
import type { StoredReading, StoredScan } from "./store/case-documents.ts";

/** What is known about the documents of a case, beside what the order says of them. */
export interface CaseDocuments {
  readonly readings: readonly StoredReading[];
  readonly scans: readonly StoredScan[];
}

export interface CaseDocument {
  readonly slug: string;
  readonly document_id: string;
}

/** The values that were looked for in a document, each as the case shows it to this operator. */
export function presentMatches(
  { readings }: CaseDocuments,
  { slug, document_id }: CaseDocument,
  shownValue: (slug: string) => string | null,
): MatchAnswer[] {
  const reading = readings.find((one) => one.slug === slug && one.document_id === document_id);
  return (reading?.found ?? []).flatMap(({ what, number, found, page }) => {
    const value = what === "phone_number" ? number : shownValue(SLUG_OF[what]);
    return value === null ? [] : [{ what, value, found, page }];
  });
}

/** What is checked about a document beside whether it opens, and its age. `isScanned`: for viruses. */
export function presentDocumentChecks(
  { readings, scans }: CaseDocuments,
  { slug, document_id }: CaseDocument,
  isScanned: boolean,
): DocumentCheckAnswer[] {
  const pages = readings.find((one) => one.slug === slug && one.document_id === document_id)?.pages;
  const counted = { check: "pages", state: "passed", code: null } as const;
  const scan = scans.find((one) => one.document_id === document_id);
  return [
    ...(isScanned || scan !== undefined ? [scanCheck(scan)] : []),
    ...(pages == null ? [] : [{ ...counted, detail: pages === 1 ? "1 page" : `${pages} pages` }]),
  ];
}

function scanCheck(scan: StoredScan | undefined): DocumentCheckAnswer {
  switch (scan?.state) {
    case "clean":
      return { check: "scan", state: "passed", code: null, detail: null };
    case "infected": {
      const detail = `The virus scanner found ${scan.signature ?? "something"}. Reject the field.`;
      return { check: "scan", state: "failed", code: "document_infected", detail };
    }
    case "waiting":
    case undefined: {
      const detail = "The virus scanner has not answered yet: the field cannot be approved.";
      return { check: "scan", state: "checking", code: "document_not_scanned", detail };
    }
  }
}
