import { findExceptionCode } from "./exception-catalogue.ts";
import type { Order, OrderException } from "./order.ts";

interface Reason {
  readonly code: string | null;
  readonly text: string | null;
}

/** An open exception of the carrier's: its own text, else the catalogue's. A code that no catalogue has is `other`. */
export function exceptionOf(order: Order, { code, text }: Reason, now: Date): OrderException {
  const known = findExceptionCode(code);
  const had = new Set(order.requirements.map((requirement) => requirement.slug));
  return {
    code: known.code,
    detail: text === null || text === "" ? known.detail : text,
    slug: known.slugs.find((slug) => had.has(slug)) ?? null,
    raised_by: "carrier",
    raised_at: now.toISOString(),
  };
}
