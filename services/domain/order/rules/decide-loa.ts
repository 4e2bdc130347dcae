import { missingForLoa } from "./loa-content.ts";
import { whyWithDesk } from "./desk-owned.ts";
import { rewriteField } from "./decide-requirement.ts";
import type { DecisionContext, Refusal } from "./effects.ts";
import type { Order } from "./order.ts";
import { add, allow, begin, type Decision } from "./order-decision.ts";
import { isEditable } from "./status-facts.ts";

export const LOA_SLUG = "loa";

/** A letter of authorization that the service rendered and a customer signed. */
export interface LoaSigning {
  readonly document_id: string;
  /** SHA-256 of the PDF, hexadecimal. */
  readonly sha256: string;
  readonly signer_name: string;
  readonly signed_at: Date;
}

/** Why the letter cannot be signed in the order's current state; null if it can. */
export function refusalOfSigning(order: Order): Refusal | null {
  if (!isEditable(order)) {
    const detail = `The letter of an order in ${order.status} cannot be signed; only in draft and rejection can it.`;
    return { code: "invalid_state", detail };
  }
  const withDesk = whyWithDesk(order);
  if (withDesk !== null) return { code: "invalid_state", detail: withDesk };
  if (!order.requirements.some((requirement) => requirement.slug === LOA_SLUG)) {
    return {
      code: "invalid_state",
      detail: "The order does not require a letter of authorization.",
    };
  }
  const blocking = missingForLoa(order);
  if (blocking.length === 0) return null;
  return {
    code: "not_ready",
    detail: "Values that the letter must state are still missing.",
    blocking,
  };
}

/** In draft or rejection, the signed letter becomes the document of requirement `loa`, already checked. */
export function decideLoaSigned(
  order: Order,
  signing: LoaSigning,
  { now }: DecisionContext,
): Decision {
  const refusal = refusalOfSigning(order);
  if (refusal !== null) return { allowed: false, refusal };
  const { document_id, sha256, signer_name, signed_at } = signing;
  const content = {
    kind: "document",
    document_id,
    document_date: signed_at,
    check: "passed",
  } as const;
  const signed = rewriteField(begin(order), { slug: LOA_SLUG, content }, now);
  return allow(
    add(
      signed,
      {
        effect: "timeline",
        kind: "document",
        data: { slug: LOA_SLUG, document_id, sha256, signer_name, signed_at },
      },
      {
        effect: "event",
        type: "loa.signed",
        payload: {
          porting_order_id: order.id,
          document_id,
          sha256,
          signer_name,
          signed_at: signed_at.getTime(),
        },
      },
    ),
  );
}
