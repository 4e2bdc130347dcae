import { missingForLoa } from "../loa/loa-content.ts";
import { rewriteField } from "./decide-requirement.ts";
import type { DecisionContext } from "./effects.ts";
import type { Order } from "./order.ts";
import type { Decision } from "./story.ts";
import { add, allow, begin, refuse } from "./story.ts";

export const LOA_SLUG = "loa";

/** A letter of authorization that the service made and a customer signed. */
export interface LoaSigning {
  readonly document_id: string;
  /** Of the PDF, in hex. */
  readonly sha256: string;
  readonly signer_name: string;
  readonly signed_at: Date;
}

/** Why the letter cannot be signed as the order stands; null where it can. */
export function refusalOfSigning(order: Order): Decision | null {
  if (order.status !== "draft" && order.status !== "rejection") {
    return refuse("invalid_state", `The letter of an order in ${order.status} cannot be signed.`);
  }
  if (!order.requirements.some((requirement) => requirement.slug === LOA_SLUG)) {
    return refuse("invalid_state", "The order asks for no letter of authorization.");
  }
  const missing = missingForLoa(order);
  if (missing.length === 0) return null;
  return refuse("not_ready", "The letter must state what has no value yet.", missing);
}

/** draft or rejection: the signed letter becomes the document of requirement `loa`, and has passed its check. */
export function decideLoaSigned(
  order: Order,
  signing: LoaSigning,
  { now }: DecisionContext,
): Decision {
  const refusal = refusalOfSigning(order);
  if (refusal !== null) return refusal;
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
