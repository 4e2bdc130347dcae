import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import { idRange } from "../../platform/db/id-range.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { statisticsAnswer, type Statistics } from "./answers.ts";
import { spanOf, statisticsQuery } from "./span.ts";
import {
  countByOperator,
  countByStatus,
  countFirstTimeRight,
  countOverdue,
  countRejections,
  timeFirstDecisions,
  type Span,
} from "./store/desk-statistics.ts";

interface StatisticsDeps {
  readonly bus: Pick<DeskDeps["bus"], "clock">;
  readonly reads: Pick<DeskDeps["reads"], "run">;
}

/** `/desk/v1/statistics`: how the desk did in a range of time. */
export function statisticsRoutes({ bus, reads }: StatisticsDeps): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/statistics", "Read how the desk did in a range of time", {
      description: `At most 366 days; the last 30 unless given. A day stands for its whole in UTC, so that
\`from=2026-03-01&to=2026-03-31\` is all of March.`,
      answers: { 200: statisticsAnswer },
      query: statisticsQuery,
      handle: async ({ query }) => {
        const now = bus.clock.now();
        const span = spanOf(query, now);
        return ok(await reads.run((db) => readStatistics(db, span, now)));
      },
    }),
  ];
}

async function readStatistics(db: Queryable, span: Span, now: Date): Promise<Statistics> {
  const { from, to } = span;
  const created = { created_after: from, created_before: to };
  const range = idRange({ direction: "asc", cursorId: null, fetch: 0 }, created);
  const [operators, first, overdue, rejections, { orders, right }, byStatus] = await Promise.all([
    countByOperator(db, span),
    timeFirstDecisions(db, span),
    countOverdue(db, span, now),
    countRejections(db, span),
    countFirstTimeRight(db, span),
    countByStatus(db, range),
  ]);
  const counts = new Map(byStatus.map(({ status, count }) => [status, count]));
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    operators: operators.map(({ id, name, decided, rejected, median_seconds }) => ({
      operator: { id, name },
      decided,
      confirmed: decided - rejected,
      rejected,
      median_seconds,
    })),
    time_to_first_decision: first,
    overdue,
    rejections,
    first_time_right: { orders, right, share: orders === 0 ? null : right / orders },
    orders_by_status: ORDER_STATUSES.map((status) => ({ status, count: counts.get(status) ?? 0 })),
  };
}
