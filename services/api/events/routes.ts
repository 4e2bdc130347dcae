import type { Pool } from "pg";
import { z } from "zod";
import { eventAnswer } from "./event-answers.ts";
import { listOf } from "../../platform/http/routing/answer-fields.ts";
import { findEvent, listEvents } from "../../domain/event/store/list-events.ts";
import { presentEvent } from "../../domain/event/rules/stored-event.ts";
import { EVENT_TYPES } from "../../messages/events.ts";
import { AppError } from "../../platform/errors.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import { keyset, page, pageQuery, unknownCursor } from "../../platform/http/paging/paging.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import type { Route } from "../../platform/http/routing/route.ts";
import { routesFor } from "../../platform/http/routing/route.ts";
import type { AccountPrincipal } from "../access/principal.ts";

export interface EventRouteDeps {
  readonly pool: Pool;
}

const PATH = "/v2/porting/events";
const defineRoute = routesFor<AccountPrincipal>();

/** `/v2/porting/events`: the feed, and one event. */
export function eventRoutes(deps: EventRouteDeps): Route<AccountPrincipal>[] {
  return [listRoute(deps), readRoute(deps)];
}

function listRoute({ pool }: EventRouteDeps): Route<AccountPrincipal> {
  return defineRoute({
    method: "GET",
    path: PATH,
    access: "account",
    doc: {
      summary: "List the events, or read on after one",
      answers: { "200": listOf(eventAnswer) },
    },
    query: z.strictObject({
      ...pageQuery,
      type: z.array(z.enum(EVENT_TYPES)).optional(),
      porting_order_id: uuid().optional(),
    }),
    handle: async (request) => {
      const { query } = request;
      const { accountId } = request.principal;
      const rows = await listEvents(pool, { accountId, scan: keyset(query), filter: query });
      if (rows === null) throw unknownCursor(query);
      return page(request, { rows, id: (row) => row.id, present: presentEvent });
    },
  });
}

function readRoute({ pool }: EventRouteDeps): Route<AccountPrincipal> {
  return defineRoute({
    method: "GET",
    path: `${PATH}/:event_id`,
    access: "account",
    doc: { summary: "Read an event", answers: { "200": eventAnswer } },
    params: z.object({ event_id: uuid() }),
    handle: async ({ principal, params }) => {
      const event = await findEvent(pool, principal.accountId, params.event_id);
      if (event === null) throw new AppError("not_found", "There is no such event.");
      return ok(presentEvent(event));
    },
  });
}
