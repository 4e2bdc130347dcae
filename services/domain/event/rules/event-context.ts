import type {
  EventActor,
  EventRejection,
  PortingEvent,
} from "../../../messages/generated/porting-event.ts";

/**
 * What an event's envelope reports to analysts besides the change itself (docs/contract/messages.md, Event envelope). It is on
 * the topic and in the log; webhooks and the API never show it.
 */
export interface EventContext {
  readonly provider?: string | null;
  readonly losing_carrier?: string | null;
  readonly number_type?: string | null;
  readonly country_code?: string | null;
  readonly rejection?: EventRejection | null;
  /** When the carrier says that it happened. */
  readonly occurred_at?: Date | null;
  readonly actor: Exclude<EventActor, "unrecognized">;
}

type ContextFields = Pick<PortingEvent, keyof EventContext>;

/** The context as the fields of an event; all are null without one. */
export function contextFields(context: EventContext | null): ContextFields {
  return {
    provider: context?.provider ?? null,
    losing_carrier: context?.losing_carrier ?? null,
    number_type: context?.number_type ?? null,
    country_code: context?.country_code ?? null,
    rejection: context?.rejection ?? null,
    occurred_at: context?.occurred_at?.getTime() ?? null,
    actor: context?.actor ?? null,
  };
}

const HIDDEN = "•••";

/** A reason without any word that has a digit: it may repeat an account number, a PIN or a phone number. */
export function withoutFigures(text: string | null): string | null {
  const words = (text ?? "").split(/\s+/u).filter((word) => word !== "");
  if (words.length === 0) return null;
  return words.map((word) => (/\p{N}/u.test(word) ? HIDDEN : word)).join(" ");
}

/** Outside of this a carrier's clock is wrong, and Postgres may not read it. */
const FIRST_MS = Date.parse("1970-01-01T00:00:00Z");
const LAST_MS = Date.parse("9999-12-31T00:00:00Z");

/** The context as JSON for the log, without what is null; null if nothing is known. */
export function contextJson(event: ContextFields): string | null {
  const { provider, losing_carrier, number_type, country_code, rejection, actor } = event;
  const { occurred_at: at } = event;
  const known = {
    provider,
    losing_carrier,
    number_type,
    country_code,
    rejection,
    occurred_at: at === null || at < FIRST_MS || at > LAST_MS ? null : new Date(at),
    actor: actor === "unrecognized" ? null : actor,
  };
  const text = JSON.stringify(known, (_, value: unknown) => stored(value));
  return text === "{}" ? null : text;
}

/** Postgres refuses NUL in text, and nothing in a context may keep its event out of the log. */
function stored(value: unknown): unknown {
  if (value === null) return undefined;
  return typeof value === "string" ? value.replaceAll("\0", "") : value;
}
