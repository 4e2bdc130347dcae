import { z } from "zod";
import { eventType } from "../../domain/event/answers/event-type-answer.ts";
import { exampleEvent } from "../../domain/event/rules/serialize-event.ts";
import { presentEvent, type StoredEvent } from "../../domain/event/rules/storable-event.ts";
import {
  findEvent,
  hasWholeFeed,
  listEvents,
  type EventFilter,
} from "../../domain/event/store/feed.ts";
import { phoneNumberParameter } from "../../domain/number/answers/number-fields.ts";
import { EVENT_TYPES } from "../../messages/events.ts";
import type { CreatedWithin } from "../../platform/db/id-range.ts";
import type { LaggingReads } from "../../platform/db/lagging-reads.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import { uuid } from "../../platform/http/body/fields.ts";
import {
  keyset,
  pageOf,
  pageQuery,
  unknownCursor,
  type FilterParameters,
} from "../../platform/http/paging.ts";
import { idText, listOf, timeText } from "../../platform/http/routing/answer-fields.ts";
import { ok } from "../../platform/http/routing/reply.ts";
import { GET, type AccountPrincipal, type CustomerRoute } from "../access/customer-routes.ts";

/** An event as the API returns it. */
export const eventAnswer = z
  .object({
    id: idText("The event's id, the same in its webhooks"),
    type: eventType,
    order_id: idText("The porting order that the event concerns").nullable(),
    payload: z.looseObject({}).meta({
      description:
        "Depends on the type: `PortingOrderCreatedPayload` of `porting_order.created`, and so on",
      examples: [exampleEvent("porting_order.created")["payload"]],
    }),
    created_at: timeText("When the change happened"),
  })
  .meta({ id: "Event", description: "A change to an object of the account" });

interface EventPath {
  readonly db: Queryable;
  readonly principal: AccountPrincipal;
  readonly params: { readonly event_id: string };
}

/** The `find` of a route under an event's path. */
export async function ownEvent({ db, principal, params }: EventPath): Promise<StoredEvent> {
  const event = await findEvent(db, principal.accountId, params.event_id);
  if (event === null) throw new AppError("not_found", "There is no such event.");
  return event;
}

interface EventDeps {
  readonly reads: LaggingReads;
}

const PATH = "/v2/porting/events";

/** `/v2/porting/events`: the feed, and one event. */
export function eventRoutes(deps: EventDeps): CustomerRoute[] {
  return [listRoute(deps), readRoute()];
}

const eventFilters = {
  type: z.array(z.enum(EVENT_TYPES)).optional().describe("Events of any of these types"),
  porting_order_id: uuid().optional().describe("Events of this order"),
  phone_number: phoneNumberParameter("Events of the orders with this number, in E.164").optional(),
} satisfies FilterParameters<Omit<EventFilter, keyof CreatedWithin>>;

function listRoute({ reads }: EventDeps): CustomerRoute {
  return GET(PATH, "List events, or continue after one", {
    description:
      "To catch up: `order=asc` and `starting_after` the last event that was handled. No event ever appears behind a reader's cursor.",
    answers: { 200: listOf(eventAnswer) },
    query: z.strictObject({ ...pageQuery, ...eventFilters }),
    handle: async (request) => {
      const { db: primary, query } = request;
      const { accountId } = request.principal;
      const list = { accountId, scan: keyset(query), filter: query };
      // An event can be read before any webhook announces it: a replica that lacks one must not answer.
      const found = await reads.run(
        (db) => listEvents(db, list),
        (replica) => hasWholeFeed(replica, primary, accountId),
      );
      if (found === null) throw unknownCursor(query);
      const { rows, hasMore } = found;
      return pageOf(request, { rows: rows.map(presentEvent), hasMore });
    },
  });
}

function readRoute(): CustomerRoute {
  return GET(`${PATH}/:event_id`, "Read an event", {
    description: "An event as its webhooks have it, with the order that it concerns.",
    answers: { 200: eventAnswer },
    find: ownEvent,
    handle: async (request) => ok(presentEvent(await ownEvent(request))),
  });
}
