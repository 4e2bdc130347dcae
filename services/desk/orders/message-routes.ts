import { z } from "zod";
import { keyset, page, pageQuery, unknownCursor } from "../../platform/http/paging/paging.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { viewer, type DeskRoute } from "../access/desk-routes.ts";
import type { DeskDeps } from "../desk-deps.ts";
import { nameInTrace } from "./name-in-trace.ts";
import { presentTraceStep } from "./present-trace.ts";
import { requireAnyOrder } from "./store/desk-orders.ts";
import { readTrace } from "./store/trace.ts";
import { traceEntryAnswer } from "./trace-answer.ts";
import { readTraceId } from "./trace-cursor.ts";

const entryId = z.string().min(1).max(600);

const traceQuery = z.strictObject({
  limit: pageQuery.limit,
  order: z.enum(["asc", "desc"]).default("asc").describe("Oldest (`asc`) or newest first"),
  starting_after: entryId.optional().describe("The id of the entry that the page follows"),
  ending_before: entryId.optional().describe("The id of the entry that the page precedes"),
});

/** The trace of an order: what became of each request, message, event and webhook. */
export function orderMessageRoutes({ bus }: Pick<DeskDeps, "bus">): DeskRoute[] {
  return [
    viewer.GET("/desk/v1/orders/:id/messages", "Trace an order's messages", {
      description:
        "Oldest first: each request, outbox row, place on a topic, handler, event, delivery and attempt of the order. Outbox rows are kept for `OUTBOX_RETENTION`, handlers and carriers' messages for `INBOX_RETENTION`; the rest stays.",
      answers: { 200: listOf(traceEntryAnswer) },
      find: ({ db, params }) => requireAnyOrder(db, params.id),
      query: traceQuery,
      handle: async (request) => {
        const { db } = request;
        const order = await requireAnyOrder(db, request.params.id);
        const { cursorId, ...scan } = keyset(request.query);
        const cursor = cursorId === null ? null : readTraceId(cursorId);
        if (cursorId !== null && cursor === null) throw unknownCursor(request.query);
        const { topicPrefix } = bus;
        const rows = await readTrace(db, order, { scan: { ...scan, cursor }, topicPrefix });
        const named = await nameInTrace(db, rows);
        const steps = await Promise.all(named.map((row) => presentTraceStep(bus, order, row)));
        return page(request, steps);
      },
    }),
  ];
}
