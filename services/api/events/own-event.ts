import type { StoredEvent } from "../../domain/event/rules/stored-event.ts";
import { findEvent } from "../../domain/event/store/list-events.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { AccountPrincipal } from "../access/principal.ts";

interface EventPath {
  readonly principal: AccountPrincipal;
  readonly params: { readonly event_id: string };
}

/** The `find` of a route under an event's path. */
export function ownEvent(db: Queryable): (request: EventPath) => Promise<StoredEvent> {
  return async ({ principal: { accountId }, params: { event_id } }) => {
    const event = await findEvent(db, accountId, event_id);
    if (event === null) throw new AppError("not_found", "There is no such event.");
    return event;
  };
}
