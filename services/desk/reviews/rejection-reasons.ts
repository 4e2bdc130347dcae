import { ORDER_KINDS } from "../../domain/requirement/rules/catalogue.ts";
import {
  DOCUMENT_REASONS,
  type DocumentReason,
} from "../../domain/review/rules/document-reasons.ts";
import { EXCEPTION_CATALOGUE } from "../../domain/order/rules/exception-catalogue.ts";

/** A reason with which the desk rejects a requirement (docs/contract/desk-api.md, GET /rejection_reasons). */
export interface RejectionReason {
  readonly code: string;
  /** The requirements that may be rejected with it, most likely first. */
  readonly slugs: readonly string[];
  readonly title: string;
  /** A sentence for the customer, ready to be sent. */
  readonly text: string;
}

const FIELDS = ORDER_KINDS.flatMap(({ profile }) => profile);
const ALL_SLUGS = [...new Set(FIELDS.map(({ slug }) => slug))];
const DOCUMENTS = [
  ...new Set(FIELDS.filter(({ value }) => value.format === "document").map(({ slug }) => slug)),
];
/** Documents that show which numbers they are about. */
const WITH_NUMBERS = ["loa", "invoice", "csr", "allocation_certificate"];

/** What the desk finds wrong with a document itself. */
const DOCUMENT_FAULTS: Readonly<Record<DocumentReason, Omit<RejectionReason, "code">>> = {
  document_illegible: {
    slugs: DOCUMENTS,
    title: "Document not legible",
    text: "The document is not legible. Upload a sharp and complete copy of every page.",
  },
  document_wrong: {
    slugs: DOCUMENTS,
    title: "Wrong document",
    text: "This is not the document that was asked for. Upload the right one.",
  },
  document_incomplete: {
    slugs: DOCUMENTS,
    title: "Document incomplete",
    text: "Pages or details are missing from the document. Upload all of its pages.",
  },
  document_unsigned: {
    slugs: ["loa"],
    title: "Signature missing",
    text: "The document is not signed. Have the authorised person sign and date it.",
  },
  signer_mismatch: {
    slugs: ["loa"],
    title: "Signer differs",
    text: "The person who signed is not the order's authorised person. Have that person sign.",
  },
  numbers_missing: {
    slugs: WITH_NUMBERS,
    title: "Numbers missing",
    text: "The document does not list every number of the order. Upload one that lists them all.",
  },
  document_too_old: {
    slugs: DOCUMENTS,
    title: "Document too old",
    text: "The document is too old. Upload a newer one.",
  },
};

/** `other` fits every requirement; a code about the order as a whole fits none. */
const CANONICAL_REASONS: readonly RejectionReason[] = EXCEPTION_CATALOGUE.map(
  ({ code, slugs, title, detail }) => {
    if (code !== "other") return { code, slugs, title, text: detail };
    return { code, slugs: ALL_SLUGS, title, text: "This cannot be accepted as it is." };
  },
);

/** Every code with which the desk can reject: the canonical catalogue, and its own about documents. */
export const REJECTION_REASONS: readonly RejectionReason[] = [
  ...CANONICAL_REASONS,
  ...DOCUMENT_REASONS.map((code) => ({ code, ...DOCUMENT_FAULTS[code] })),
];

const BY_CODE: ReadonlyMap<string, RejectionReason> = new Map(
  REJECTION_REASONS.map((reason) => [reason.code, reason]),
);

export function isRejectionCode(code: string): boolean {
  return BY_CODE.has(code);
}

/** Whether a requirement may be rejected with the code; an order keeps fields that its kind no longer asks for. */
export function concerns(code: string, slug: string): boolean {
  return code === "other" || (BY_CODE.get(code)?.slugs.includes(slug) ?? false);
}

/** The codes with which a requirement may be rejected. */
export function codesFor(slug: string): string[] {
  return REJECTION_REASONS.map(({ code }) => code).filter((code) => concerns(code, slug));
}
