import type { RequirementVerdict } from "../../domain/order/rules/decide-review.ts";
import type { Order } from "../../domain/order/rules/order.ts";
import type { Fault } from "../../platform/errors.ts";
import type { StoredScan } from "./store/case-documents.ts";

/** Approvals of documents that the virus scanner has not found clean: one that was not scanned may be anything. */
export function findScanFaults(
  order: Pick<Order, "requirements">,
  decisions: readonly RequirementVerdict[],
  scans: readonly StoredScan[],
): Fault[] {
  return decisions.flatMap(({ slug, decision }, n): Fault[] => {
    const documentId = order.requirements.find((one) => one.slug === slug)?.document_id ?? null;
    if (decision !== "approve" || documentId === null) return [];
    const state = scans.find((one) => one.document_id === documentId)?.state ?? "waiting";
    const pointer = `#/decisions/${n}/decision`;
    switch (state) {
      case "clean":
        return [];
      case "infected":
        return [
          {
            pointer,
            code: "document_infected",
            detail: `${slug}: it is infected. Reject the field.`,
          },
        ];
      case "waiting":
        return [
          {
            pointer,
            code: "document_not_scanned",
            detail: `${slug}: the virus scanner has not answered yet. Try again later.`,
          },
        ];
    }
  });
}
