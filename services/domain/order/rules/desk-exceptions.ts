import type { OrderRequirement } from "../../requirement/rules/requirement.ts";
import type { RequirementVerdict } from "./decide-review.ts";
import type { OrderException } from "./order.ts";

/**
 * What the customer reads in `exceptions[]` after a rejection, one for each rejected requirement. This file imports types
 * alone, so that the console shows the same before the decision is sent.
 */
export function deskExceptions(
  verdicts: readonly RequirementVerdict[],
  raisedAt: string,
): OrderException[] {
  return verdicts
    .filter(({ decision }) => decision === "reject")
    .map(({ slug, phone_number: number = null, code, reason }) => ({
      code,
      detail: number === null ? (reason ?? "") : `${number}: ${reason ?? ""}`,
      slug,
      raised_by: "desk",
      raised_at: raisedAt,
    }));
}

type UpdatedRequirement = Pick<OrderRequirement, "slug" | "status"> & {
  readonly reason: string | null;
};

/** The payload of `porting_order.requirement_updated`. */
export function requirementUpdate(orderId: string, { slug, status, reason }: UpdatedRequirement) {
  return { porting_order_id: orderId, requirement: { slug, status, reason } };
}
