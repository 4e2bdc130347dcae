import { findLatestCase } from "../../domain/review/store/cases.ts";
import { page, scanFrom } from "../../platform/http/paging/paging.ts";
import type { Reply } from "../../platform/http/routing/reply.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { queueAnswer } from "./answers.ts";
import { queueQuery } from "./body.ts";
import type { Counts } from "./queue-counts.ts";
import { listOpenCases } from "./store/open-cases.ts";
import type { QueueFilter } from "./store/queue-filter.ts";

/** `me` is the caller. */
export function filterOf(sent: QueueFilter, operatorId: string): QueueFilter {
  const { country_code, number_type, provider, account_id, due_before, overdue, q } = sent;
  const claimed_by = sent.claimed_by === "me" ? operatorId : sent.claimed_by;
  return { country_code, number_type, provider, account_id, due_before, overdue, claimed_by, q };
}

export function queueRoute({ bus, queueCounts }: DeskDeps): DeskRoute {
  return viewer.GET("/desk/v1/reviews", "List the open cases, longest waiting first", {
    description: "With the counts of each view; filters that are combined must all match.",
    answers: { 200: queueAnswer },
    query: queueQuery,
    handle: async (request) => {
      const { db, query, principal } = request;
      const now = bus.clock.now();
      const filter = filterOf(query, principal.operatorId);
      const scan = await scanFrom(query, (id) => findLatestCase(db, id, "read"));
      const [rows, counts] = await Promise.all([
        listOpenCases(db, { scan: { ...scan, now }, filter }),
        queueCounts.of({ filter, now }, principal.operatorId),
      ]);
      return withCounts(
        page(request, rows, (one) => one.order_id),
        counts,
      );
    },
  });
}

function withCounts(reply: Reply, counts: Counts): Reply {
  return { ...reply, body: { ...Object(reply.body), counts } };
}
