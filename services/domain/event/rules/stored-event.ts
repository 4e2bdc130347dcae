/** An event as read from the log. */
export interface StoredEvent {
  readonly id: string;
  readonly order_id: string | null;
  /** The body of its webhooks. */
  readonly body: Buffer;
}

/** An event as the API returns it. */
export interface EventView {
  readonly id: string;
  readonly type: string;
  readonly order_id: string | null;
  readonly payload: unknown;
  readonly created_at: string;
}

type WebhookBody = Pick<EventView, "id" | "type" | "created_at" | "payload">;

/** The API's JSON of an event, with the stored payload. */
export function presentEvent({ order_id, body }: StoredEvent): EventView {
  const { id, type, payload, created_at } = JSON.parse(body.toString()) as WebhookBody;
  return { id, type, order_id, payload, created_at };
}
