import { findExceptionCode } from "./exception-catalogue.ts";
import type { OrderException } from "./order.ts";

/** An open exception of the carrier's: its own text, else the catalogue's. A code that no catalogue has is `other`. */
export function exceptionOf(
  { code, text }: { readonly code: string | null; readonly text: string | null },
  now: Date,
): OrderException {
  const known = findExceptionCode(code);
  return {
    code: known.code,
    detail: text === null || text === "" ? known.detail : text,
    slug: null,
    raised_by: "carrier",
    raised_at: now.toISOString(),
  };
}
