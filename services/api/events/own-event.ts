import type { StoredEvent } from "../../domain/event/rules/storable-event.ts";
import { findEvent } from "../../domain/event/store/feed.ts";
import type { Queryable } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors.ts";
import type { AccountPrincipal } from "../access/principal.ts";

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
