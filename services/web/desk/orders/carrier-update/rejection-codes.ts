import { DOCUMENT_REASONS } from "../../../../domain/review/rules/document-reasons.ts";
import type { RejectionReason } from "../../reviews/types.ts";

const NO_CARRIERS: ReadonlySet<string> = new Set(DOCUMENT_REASONS);

/** The canonical codes, which every provider may give. */
export function carrierReasons(reasons: readonly RejectionReason[]): readonly RejectionReason[] {
  return reasons.filter(({ code }) => !NO_CARRIERS.has(code));
}
