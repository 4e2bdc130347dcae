import { findExceptionCode } from "./exception-catalogue.ts";
import type { Order, OrderException } from "./order.ts";

interface Reason {
  readonly code: string | null;
  readonly text: string | null;
}

/** An open exception raised by the carrier, with its own text or else the catalogue's. An unknown code becomes `other`. */
export function exceptionOf(order: Order, { code, text }: Reason, now: Date): OrderException {
  const known = findExceptionCode(code);
  const slugs = new Set(order.requirements.map((requirement) => requirement.slug));
  return {
    code: known.code,
    detail: text === null || text === "" ? known.detail : text,
    slug: known.slugs.find((slug) => slugs.has(slug)) ?? null,
    raised_by: "carrier",
    raised_at: now.toISOString(),
  };
}
