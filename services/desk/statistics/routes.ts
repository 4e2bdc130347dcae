import { z } from "zod";
import { ORDER_STATUSES } from "../../domain/order/rules/order.ts";
import { idRange } from "../../platform/db/id-range.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { instant } from "../../platform/http/body/fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { exportRoute } from "../lists/export-route.ts";
import { statisticsAnswer, trendStatistics, type Statistics } from "./answers.ts";
import {
  countByOperator,
  countByStatus,
  countBySteps,
  countFirstTimeRight,
  countOverdue,
  countRejections,
  timeFirstDecisions,
  type Span,
} from "./store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
const USUAL_DAYS = 30;
const MOST_DAYS = 366;

const day = z.iso.date().transform((text) => ({ day: new Date(`${text}T00:00:00.000Z`) }));
const bound = () =>
  z.union([instant(), day], { error: "It must be a day or a time with an offset." });

export const statisticsQuery = z.strictObject({
  from: bound()
    .optional()
    .meta({
      description: "A time, or a day from its beginning in UTC; 30 days before `to` unless given",
      examples: ["2026-03-01"],
    }),
  to: bound()
    .optional()
    .meta({
      description: "A time, exclusive, or a day until its end in UTC; now unless given",
      examples: ["2026-03-31"],
    }),
});

/** @throws `invalid_parameter` for a range that is empty or too long */
export function spanOf({ from, to }: z.output<typeof statisticsQuery>, now: Date): Span {
  const end = to === undefined ? now : "day" in to ? new Date(to.day.getTime() + DAY_MS) : to;
  const usual = new Date(end.getTime() - USUAL_DAYS * DAY_MS);
  const start = from === undefined ? usual : "day" in from ? from.day : from;
  const length = end.getTime() - start.getTime();
  if (length <= 0) throw fault("to", "`to` must be after `from`.");
  if (length > MOST_DAYS * DAY_MS) throw fault("from", `At most ${MOST_DAYS} days at once.`);
  return { from: start, to: end };
}

function fault(parameter: "from" | "to", detail: string): AppError {
  const faults = [{ parameter, code: "invalid_range", detail }];
  return new AppError("invalid_parameter", detail, { faults });
}

interface StatisticsDeps {
  readonly bus: Pick<DeskDeps["bus"], "clock">;
  readonly reads: Pick<DeskDeps["reads"], "run">;
}

/** `/desk/v1/statistics`: how the desk did in a range of time, and its trend as a file. */
export function statisticsRoutes({ bus, reads }: StatisticsDeps): DeskRoute[] {
  return [
    exportRoute("/desk/v1/statistics", {
      name: "statistics",
      answer: trendStatistics,
      query: statisticsQuery,
      read: async (_, query) => {
        const span = spanOf(query, bus.clock.now());
        return { rows: await reads.run((db) => readTrend(db, span)), hasMore: false };
      },
    }),
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

/** As many steps as a page shows below each other. */
const MOST_STEPS = 31;

async function readTrend(db: Queryable, span: Span): Promise<Statistics["trend"]> {
  const days = (span.to.getTime() - span.from.getTime()) / DAY_MS > MOST_STEPS ? 7 : 1;
  const steps = await countBySteps(db, span, days);
  return steps.map(({ from, to, decided, rejected, ...step }) => ({
    from: from.toISOString(),
    to: to.toISOString(),
    decided,
    confirmed: decided - rejected,
    rejected,
    ...step,
  }));
}

async function readStatistics(db: Queryable, span: Span, now: Date): Promise<Statistics> {
  const { from, to } = span;
  const created = { created_after: from, created_before: to };
  const range = idRange({ direction: "asc", cursorId: null, fetch: 0 }, created);
  const [operators, first, overdue, rejections, trend, right, byStatus] = await Promise.all([
    countByOperator(db, span),
    timeFirstDecisions(db, span),
    countOverdue(db, span, now),
    countRejections(db, span),
    readTrend(db, span),
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
    trend,
    first_time_right: { ...right, share: right.orders === 0 ? null : right.right / right.orders },
    orders_by_status: ORDER_STATUSES.map((status) => ({ status, count: counts.get(status) ?? 0 })),
  };
}
