import type { Event, Webhooks } from "../generated/api-types.ts";

/** The name of an event type that this version of the client knows. */
export type EventName = keyof Webhooks;

type EventOf<Name extends EventName> = Omit<Event, "type" | "payload"> & {
  readonly type: Name;
  readonly payload: Webhooks[Name]["payload"];
};

/**
 * An event of the feed, whose `type` determines its `payload`. A later version of the API may send types that are not among
 * these, so a `switch` needs a `default` that goes on.
 */
export type PortingEvent = { readonly [Name in EventName]: EventOf<Name> }[EventName];

/** The body of a webhook, whose `type` determines its `payload`; later versions may send other types. */
export type WebhookEvent = Webhooks[EventName];
