import { randomBytes } from "node:crypto";
import { isHttpUrl, reasonOf } from "../../client/caller.ts";
import type { EventName, PortingEvent } from "../../client/feed.ts";
import { webhookBody, webhookHeaders } from "../../client/webhooks.ts";
import { ensureListenSecret } from "../access.ts";
import { usageError } from "../errors.ts";
import { shortTime, type Printer, type Style } from "../output.ts";
import type { Session } from "../session.ts";

export interface ListenOptions {
  readonly forwardTo?: string;
  readonly print?: true;
  readonly secret?: string;
  readonly since?: string;
  readonly events?: readonly EventName[];
  readonly json?: boolean;
}

/** Forwards every event to a local server, signed, and shows each exchange, until Ctrl-C. */
export async function listen(session: Session, options: ListenOptions): Promise<void> {
  const { forwardTo, print, since, events = [] } = options;
  if (forwardTo === undefined && print === undefined) {
    throw usageError("Give --forward-to <url>, --print or both.");
  }
  const out = session.printer(options);
  const receiver = forwardTo === undefined ? null : receiverOf(session, forwardTo, options.secret);
  const { url } = session.access;
  const { signal } = session.host;
  let last: string | null = null;
  const following = session.client.followEvents({
    signal,
    ...(since === undefined ? {} : { startingAfter: since }),
    ...connectionNotes(out, url, receiver),
  });
  for await (const event of following) {
    if (events.length === 0 || events.includes(event.type)) {
      const exchange = receiver === null ? null : await forward(event, receiver);
      show(out, { event, exchange, isPrinted: print === true });
    }
    last = event.id;
    // An exchange under way when Ctrl-C came was finished; the next event is left for the next run.
    if (signal.aborted) break;
  }
  if (last !== null) out.note(`Stopped after event ${last}. Go on there: --since ${last}`);
}

function receiverOf(session: Session, url: string, given?: string): Receiver {
  if (!isHttpUrl(url)) {
    throw usageError("--forward-to takes an http or https URL without a user name and password.");
  }
  if (given === "") throw usageError("The --secret is empty.");
  const create = (): string => `whsec_${randomBytes(32).toString("base64")}`;
  return { url, secret: given ?? ensureListenSecret(session.host.env, create) };
}

function announce(out: Printer, url: string, receiver: Receiver | null): void {
  out.note(`Listening to the events of ${url}. Ctrl-C ends it.`);
  if (receiver === null) return;
  out.note(`Forwarding to ${receiver.url}`);
  out.note(`Signing secret: ${receiver.secret}`);
}

interface Shown {
  readonly event: PortingEvent;
  readonly exchange: Exchange | null;
  readonly isPrinted: boolean;
}

function show(out: Printer, { event, exchange, isPrinted }: Shown): void {
  if (out.isJson) {
    out.json({ event, exchange });
    return;
  }
  out.line(showExchange(event, exchange, out.style));
  if (isPrinted) out.line(JSON.stringify(event.payload, null, 2));
}

/** Says once that it listens, then only when the stream is cut and when it is back. */
function connectionNotes(out: Printer, url: string, receiver: Receiver | null) {
  let state: "new" | "open" | "cut" = "new";
  return {
    onOpen: () => {
      if (state === "new") announce(out, url, receiver);
      if (state === "cut") out.note("The stream is back; it goes on after the last event.");
      state = "open";
    },
    onCut: () => {
      if (state === "open") out.note(`The stream was cut; waiting for ${url} …`);
      state = "cut";
    },
  };
}

/** As long as the service waits for a receiver (docs/contract/interface-specification.md, Webhook receiver response time). */
const DEADLINE_MS = 15_000;
const SHOWN_CHARACTERS = 200;

/** What became of one webhook: the receiver's answer, or why there was none. */
type Exchange =
  | { readonly status: number; readonly duration_ms: number; readonly response_body: string }
  | { readonly error: string; readonly duration_ms: number };

interface Receiver {
  readonly url: string;
  readonly secret: string;
}

/** Sends an event as the service would; a redirect is an answer like any other. */
async function forward(event: PortingEvent, { url, secret }: Receiver): Promise<Exchange> {
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

function isDelivered(exchange: Exchange): boolean {
  return "status" in exchange && exchange.status >= 200 && exchange.status < 300;
}

function whyNoAnswer(error: unknown): string {
  const isLate = error instanceof Error && error.name === "TimeoutError";
  return isLate ? `no answer within ${DEADLINE_MS / 1_000} s` : reasonOf(error);
}

/** One line for an event, with what its receiver answered. */
export function showExchange(
  event: PortingEvent,
  exchange: Exchange | null,
  { paint }: Pick<Style, "paint">,
): string {
  const { created_at, type, id } = event;
  const head = `${paint.dim(shortTime(created_at))}  ${paint.bold(type)}  ${id}`;
  if (exchange === null) return head;
  const arrow = `${head}  → `;
  if ("error" in exchange) return arrow + paint.red(exchange.error);
  const { status, duration_ms, response_body } = exchange;
  if (isDelivered(exchange)) return `${arrow}${paint.green(String(status))} in ${duration_ms} ms`;
  const text = response_body.replaceAll(/\s+/g, " ").trim();
  const said = text === "" ? "" : `: ${text}`;
  return `${arrow}${paint.red(String(status))} in ${duration_ms} ms${said}`;
}
