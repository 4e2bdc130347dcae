import { timeText } from "../../ui/time-text.ts";
import { STATUS_WORDS, type Comment, type OrderStatus, type TimelineEntry } from "./orders.ts";

interface EntryWords {
  readonly title: string;
  /** What a person or a carrier wrote, unchanged; null if nobody wrote anything. */
  readonly quote: string | null;
}

type NameOf = (slug: string) => string;

/** An entry of the timeline in a sentence; `nameOf` gives a requirement's name. */
export function wordsOf({ kind, data }: TimelineEntry, nameOf: NameOf): EntryWords {
  const text = (name: string): string | null => {
    const value = data[name];
    return typeof value === "string" && value !== "" ? value : null;
  };
  switch (kind) {
    case "status":
      return statusWords(text);
    case "requirement":
      return requirementWords(text, nameOf);
    case "document":
      return documentWords(text, nameOf);
    case "comment":
      return { title: COMMENT_TITLES[text("author_type") ?? ""] ?? "Note", quote: text("body") };
    case "note":
      return { title: "Internal note", quote: text("body") };
    case "number":
      return numberWords(data, text);
    case "change":
      return changeWords(data, text);
    case "order":
      return { title: changedWords(data), quote: null };
    case "carrier":
      return { title: `Noted: ${text("kind") ?? "a status"}`, quote: text("raw_status") };
    case "ignored":
      return ignoredWords(text);
  }
}

type TextOf = (name: string) => string | null;

const COMMENT_TITLES: Readonly<Record<string, string>> = {
  customer: "Comment by the customer",
  ops: "Comment to the customer",
  carrier: "Comment by the carrier",
  system: "Noted by the service",
};

function statusWords(text: TextOf): EntryWords {
  const [before, after] = [text("previous_status"), text("new_status")];
  if (after === null) {
    const by = text("cancel_asked_by") === "ops" ? "the desk" : "the customer";
    return { title: `Cancellation asked for by ${by}`, quote: text("reason") };
  }
  if (before === null) return { title: `Created: ${nameOfStatus(after)}`, quote: null };
  const foc = text("foc_actual");
  if (before !== after) {
    const date = foc === null ? "" : `, FOC date ${timeText(foc)}`;
    return { title: `${nameOfStatus(before)} → ${nameOfStatus(after)}${date}`, quote: null };
  }
  if (foc === null) return { title: `${nameOfStatus(after)}: changed`, quote: null };
  const known = text("previous_foc_actual");
  const dates = known === null ? timeText(foc) : `${timeText(known)} → ${timeText(foc)}`;
  return { title: `FOC date moved: ${dates}`, quote: null };
}

function nameOfStatus(status: string | null): string {
  return status !== null && isStatus(status) ? STATUS_WORDS[status].name : (status ?? "New");
}

function isStatus(status: string): status is OrderStatus {
  return status in STATUS_WORDS;
}

function requirementWords(text: TextOf, nameOf: NameOf): EntryWords {
  const name = nameOf(text("slug") ?? "");
  const status = text("status");
  const done = status === null ? "provided" : status === "approved" ? "approved" : "rejected";
  return { title: `${name} ${done}`, quote: text("reason") };
}

function documentWords(text: TextOf, nameOf: NameOf): EntryWords {
  const name = nameOf(text("slug") ?? "");
  const signer = text("signer_name");
  if (signer !== null) return { title: `${name} signed by ${signer}`, quote: null };
  const check = text("check");
  const done =
    check === null ? "changed" : check === "passed" ? "passed its check" : "failed its check";
  return { title: `${name} ${done}`, quote: text("detail") };
}

function numberWords(data: TimelineEntry["data"], text: TextOf): EntryWords {
  const removed = data["removed"];
  if (Array.isArray(removed)) {
    return { title: `Numbers removed: ${removed.join(", ")}`, quote: null };
  }
  const failed = data["failed"];
  if (typeof failed === "number") {
    const title = `${failed === 1 ? "A number" : `${failed} numbers`} failed (${text("code")})`;
    return { title, quote: text("text") };
  }
  return { title: "Numbers changed", quote: null };
}

const CHANGE_TITLES: Readonly<Record<string, string>> = {
  pending: "Change asked for",
  accepted: "Change accepted",
  refused: "Change refused",
  withdrawn: "Change withdrawn",
};

function changeWords(data: TimelineEntry["data"], text: TextOf): EntryWords {
  const date = text("foc_requested");
  const removed = data["remove_phone_numbers"];
  const parts = [
    ...(date === null ? [] : [`date ${timeText(date)}`]),
    ...(Array.isArray(removed) && removed.length > 0 ? [`without ${removed.join(", ")}`] : []),
  ];
  const title = CHANGE_TITLES[text("status") ?? ""] ?? "Change";
  return { title: `${title}: ${parts.join("; ")}`, quote: text("detail") };
}

const FIELD_NAMES: Readonly<Record<string, string>> = {
  customer_reference: "Reference",
  foc_requested: "Requested date",
  webhook_url: "Webhook URL",
};

function changedWords(data: TimelineEntry["data"]): string {
  const changes = Object.entries(data).map(([name, change]) => {
    const { from, to } = Object(change) as { readonly from?: unknown; readonly to?: unknown };
    return `${FIELD_NAMES[name] ?? name} changed: ${shownValue(name, from)} → ${shownValue(name, to)}`;
  });
  return changes.join("; ");
}

function shownValue(name: string, value: unknown): string {
  if (typeof value !== "string" || value === "") return "none";
  return name === "foc_requested" ? timeText(value) : value;
}

function ignoredWords(text: TextOf): EntryWords {
  const word = text("raw_status");
  if (word === null) return { title: "A decision came too late and changed nothing", quote: null };
  const kind = text("kind");
  const meant = kind === null ? "" : ` (${kind})`;
  return { title: `A status update changed nothing${meant}`, quote: word };
}

/** One line of the timeline: an entry, or several alike that one person wrote one after the other. */
export interface TimelineLine extends EntryWords {
  readonly id: string;
  readonly at: string;
  readonly actor: TimelineEntry["actor"];
}

const TOGETHER_MS = 10 * 60_000;

/** The timeline, the latest first; `Invoice, Account number approved` is one line. */
export function groupTimeline(
  entries: readonly TimelineEntry[],
  nameOf: NameOf,
): readonly TimelineLine[] {
  const lines: TimelineLine[] = [];
  let open: {
    readonly verb: string;
    readonly names: string[];
    readonly first: TimelineEntry;
  } | null = null;
  for (const entry of entries) {
    const { id, at, actor } = entry;
    const words = wordsOf(entry, nameOf);
    const part = words.quote === null ? partOf(entry, nameOf) : null;
    if (
      part !== null &&
      open !== null &&
      open.verb === part.verb &&
      isTogether(open.first, entry)
    ) {
      open.names.unshift(part.name);
      const title = `${[...new Set(open.names)].join(", ")} ${part.verb}`;
      lines[lines.length - 1] = { ...openLine(open.first), title, quote: null };
      continue;
    }
    lines.push({ id, at, actor, ...words });
    open = part === null ? null : { verb: part.verb, names: [part.name], first: entry };
  }
  return lines;
}

function openLine({ id, at, actor }: TimelineEntry) {
  return { id, at, actor };
}

/** A requirement and what was done with it; null for what stands alone. */
function partOf({ kind, data }: TimelineEntry, nameOf: NameOf) {
  const { slug, status, check, signer_name: signer } = data;
  if (typeof slug !== "string" || signer !== undefined) return null;
  const name = nameOf(slug);
  if (kind === "requirement")
    return { name, verb: status === "approved" ? "approved" : "provided" };
  return kind === "document" && check === "passed" ? { name, verb: "passed its check" } : null;
}

function isTogether(one: TimelineEntry, other: TimelineEntry): boolean {
  return (
    one.actor.type === other.actor.type &&
    one.actor.id === other.actor.id &&
    Math.abs(Date.parse(one.at) - Date.parse(other.at)) < TOGETHER_MS
  );
}

/** What somebody wrote about an order. */
export interface Text {
  readonly id: string;
  readonly who: string;
  readonly at: string;
  readonly body: string;
  /** Only the desk sees it. */
  readonly isInternal: boolean;
  /** An operator wrote it to the customer. */
  readonly isToCustomer: boolean;
}

const AUTHORS = {
  customer: "Customer",
  ops: "Desk",
  carrier: "Carrier",
  system: "Service",
} as const;

/** Comments and notes together, the latest first; notes stand in the desk's timeline. */
export function conversationOf(
  comments: readonly Comment[],
  timeline: readonly TimelineEntry[],
): readonly Text[] {
  const written = comments.map(
    ({ id, body, author, author_type: side, created_at: at, internal }) => ({
      id,
      who: author?.name ?? AUTHORS[side],
      at,
      body,
      isInternal: internal,
      isToCustomer: side === "ops" && !internal,
    }),
  );
  const notes = timeline.flatMap(({ id, at, kind, actor, data: { body } }) =>
    kind === "note" && typeof body === "string"
      ? [{ id, who: actor.name ?? "Desk", at, body, isInternal: true, isToCustomer: false }]
      : [],
  );
  return [...written, ...notes].toSorted((a, b) => b.at.localeCompare(a.at));
}
