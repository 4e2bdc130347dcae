import { z } from "zod";
import type { Bus } from "../../messages/bus.ts";
import { findLatestCase, listOpenCases } from "../../domain/review/case-store.ts";
import type { QueuedCase } from "../../domain/review/case-store.ts";
import { presentCase } from "../../domain/review/review-case.ts";
import { uuid } from "../../platform/http/fields.ts";
import { keyset, page, pageQuery, unknownCursor } from "../../platform/http/paging.ts";
import { accepted, ok } from "../../platform/http/reply.ts";
import type { Route } from "../../platform/http/route.ts";
import { routesFor } from "../../platform/http/route.ts";
import { decideReview } from "../decide-review.ts";
import type { OperatorPrincipal } from "../operator.ts";

const params = z.strictObject({ order_id: uuid() });

const decisionBody = z.strictObject({
  attempt: z.int().min(1).optional(),
  // Orders have no requirements yet, so there is nothing that a decision could name.
  decisions: z.array(z.never()).default([]),
  confirm: z.boolean().default(false),
});

/** Longest waiting first, whichever order other lists have. */
const queueQuery = z.strictObject({
  limit: pageQuery.limit,
  starting_after: pageQuery.starting_after,
  ending_before: pageQuery.ending_before,
  order: z.enum(["asc", "desc"]).default("asc"),
  country_code: z.string().optional(),
  account_id: uuid().optional(),
  overdue: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional(),
  claimed_by: uuid().optional(),
});

function presentQueued(one: QueuedCase): Record<string, unknown> {
  return {
    ...one,
    submitted_at: one.submitted_at.toISOString(),
    due_at: one.due_at.toISOString(),
  };
}

/** The review queue, one order's case, and the decision on it. */
export function reviewRoutes(bus: Bus): Route<OperatorPrincipal>[] {
  const defineRoute = routesFor<OperatorPrincipal>();
  return [
    defineRoute({
      method: "GET",
      path: "/desk/v1/reviews",
      access: "operator",
      query: queueQuery,
      handle: async (request) => {
        const scan = { ...keyset(request.query), now: bus.clock.now() };
        if (scan.cursorId !== null) {
          await findLatestCase(bus.pool, scan.cursorId, "read").catch(() => {
            throw unknownCursor(request.query);
          });
        }
        const rows = await listOpenCases(bus.pool, scan, request.query);
        return page(request, { rows, id: (one) => one.order_id, present: presentQueued });
      },
    }),
    defineRoute({
      method: "GET",
      path: "/desk/v1/reviews/:order_id",
      access: "operator",
      params,
      handle: async ({ params: { order_id: orderId } }) =>
        ok(presentCase(await findLatestCase(bus.pool, orderId, "read"), bus.clock.now())),
    }),
    defineRoute({
      method: "POST",
      path: "/desk/v1/reviews/:order_id/decision",
      access: "operator",
      params,
      body: decisionBody,
      handle: async ({ principal, params: { order_id: orderId }, body, requestId }) => {
        const by = { operator: principal, requestId };
        return accepted(presentCase(await decideReview(bus, orderId, body, by), bus.clock.now()));
      },
    }),
  ];
}
