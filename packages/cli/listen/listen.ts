import { randomBytes } from "node:crypto";
import { isHttpUrl } from "../../client/call/check-access.ts";
import type { EventName, PortingEvent } from "../../client/feed/porting-event.ts";
import { ensureListenSecret } from "../access/kept-login.ts";
import { usageError } from "../errors/cli-error.ts";
import type { Printer } from "../output/printer.ts";
import type { Session } from "../session.ts";
import { forward, type Exchange, type Receiver } from "./forward.ts";
import { showExchange } from "./show-exchange.ts";

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
