import { reasonOf } from "../../client/call/reason-of.ts";
import type { PortingEvent } from "../../client/feed/porting-event.ts";
import { webhookBody, webhookHeaders } from "../../client/webhooks/sign-webhook.ts";

/** As long as the service waits for a receiver (docs/contract/interface-specification.md, Webhook receiver response time). */
const DEADLINE_MS = 15_000;
const SHOWN_CHARACTERS = 200;

/** What became of one webhook: the receiver's answer, or why there was none. */
export type Exchange =
  | { readonly status: number; readonly duration_ms: number; readonly response_body: string }
  | { readonly error: string; readonly duration_ms: number };

export interface Receiver {
  readonly url: string;
  readonly secret: string;
}

/** Sends an event as the service would; a redirect is an answer like any other. */
export async function forward(event: PortingEvent, { url, secret }: Receiver): Promise<Exchange> {
  const body = webhookBody(event);
  const atSeconds = Math.floor(Date.now() / 1_000);
  const signing = { eventId: event.id, eventType: event.type, secret, atSeconds };
  const startedAt = performance.now();
  const took = (): number => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: webhookHeaders(body, signing),
      body,
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    const text = (await response.text()).slice(0, SHOWN_CHARACTERS);
    return { status: response.status, duration_ms: took(), response_body: text };
  } catch (error) {
    return { error: whyNoAnswer(error), duration_ms: took() };
  }
}

export function isDelivered(exchange: Exchange): boolean {
  return "status" in exchange && exchange.status >= 200 && exchange.status < 300;
}

function whyNoAnswer(error: unknown): string {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  return isLate ? `no answer within ${DEADLINE_MS / 1_000} s` : reasonOf(error);
}
