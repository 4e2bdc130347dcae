import { useQuery } from "@tanstack/react-query";
import type { z } from "zod";
import type { rejectionReasonAnswer } from "../../../../requirement-review/reviews/reason-answer.ts";
import { request } from "../../../ui/http/request.ts";
import type { Provider } from "../../carriers/queries.ts";

type Reason = z.infer<typeof rejectionReasonAnswer>;

/** Reasons of the desk itself, which no carrier gives. */
const DESK_REASONS: readonly string[] = [
  "document_illegible",
  "document_wrong",
  "document_incomplete",
  "document_unsigned",
  "signer_mismatch",
  "numbers_missing",
  "document_too_old",
];

export function useRejectionReasons() {
  return useQuery({
    queryKey: ["rejection-reasons"],
    queryFn: ({ signal }) =>
      request<{ readonly data: readonly Reason[] }>("GET", "/desk/v1/rejection_reasons", {
        signal,
      }),
    staleTime: Infinity,
  });
}

/** The canonical codes, which every provider may give. */
export function carrierReasons(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(({ code }) => !DESK_REASONS.includes(code));
}

/** The provider's own codes and what each means here. */
export function ownCodes(provider: Provider | undefined): Provider["codes"] {
  return provider?.codes ?? [];
}
