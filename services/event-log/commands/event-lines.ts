import type { FeedEvent } from "../../domain/event/store/feed.ts";

/**
 * One line of an export: the event's position in the feed, its order, and its bytes exactly as webhooks
 * carry them.
 */
export function eventLine({ seq, order_id, body }: FeedEvent): string {
  return `{"seq":${seq},"order_id":${JSON.stringify(order_id)},"event":${body.toString()}}`;
}
