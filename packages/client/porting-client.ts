import { Caller, type CallerOptions, type CallOptions, type Paged } from "./caller.ts";
import { fillOrder, type FilledOrder, type Filling } from "./fill-order.ts";
import { apiEventSource, followEvents, type FollowOptions, type PortingEvent } from "./feed.ts";
import type { ListPortingEventsQuery } from "./generated/api-types.ts";
import { Operations } from "./generated/operations.ts";

export { ApiError, ConnectionError } from "./errors.ts";
export { constructEvent, WebhookError } from "./webhooks.ts";
export type PortingClientOptions = CallerOptions;

/**
 * The customers' API: a method for each operation of its document, and the events with the types of their payloads.
 *
 * Every request is tried again after a fault that may pass; a POST or PATCH under one Idempotency-Key, so that it takes
 * effect once. Methods throw `ApiError` and `ConnectionError`.
 */
export class PortingClient extends Operations {
  constructor(options: PortingClientOptions) {
    super(new Caller(options));
  }

  /** Gives an order what it asks for, the letter's signature last, and waits until its documents are checked. */
  fillOrder(id: string, filling: Filling): Promise<FilledOrder> {
    return fillOrder(this, id, filling);
  }

  /** The feed, page by page: what `listPortingEvents` lists, with typed payloads. */
  events(query: ListPortingEventsQuery = {}, options?: CallOptions): Paged<PortingEvent> {
    const request = { method: "GET", path: "/v2/porting/events", query };
    return this.caller.list<PortingEvent>(request, options);
  }

  /** The live stream: every event after a position, in order and once, going on where it was after a cut. */
  followEvents(options: FollowOptions = {}): AsyncGenerator<PortingEvent, void> {
    return followEvents(apiEventSource(this.caller, options.signal), options);
  }
}
