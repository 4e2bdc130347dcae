import { STATUS_WORDS } from "../order-words.ts";
import { timeText } from "../../../ui/time-text.ts";
import type { OrderStatus, TimelineEntry } from "../queries.ts";

export interface EntryWords {
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
    case "order":
      return { title: changedWords(data), quote: null };
    case "carrier":
      return { title: `Noted: ${text("kind") ?? "a status"}`, quote: text("raw_status") };
    case "ignored":
      return ignoredWords(text);
  }
}

type Text = (name: string) => string | null;

const COMMENT_TITLES: Readonly<Record<string, string>> = {
  customer: "Comment by the customer",
  ops: "Comment to the customer",
  carrier: "Comment by the carrier",
  system: "Noted by the service",
};

function statusWords(text: Text): EntryWords {
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

function requirementWords(text: Text, nameOf: NameOf): EntryWords {
  const name = nameOf(text("slug") ?? "");
  const status = text("status");
  const done = status === null ? "provided" : status === "approved" ? "approved" : "rejected";
  return { title: `${name} ${done}`, quote: text("reason") };
}

function documentWords(text: Text, nameOf: NameOf): EntryWords {
  const name = nameOf(text("slug") ?? "");
  const signer = text("signer_name");
  if (signer !== null) return { title: `${name} signed by ${signer}`, quote: null };
  const check = text("check");
  const done =
    check === null ? "changed" : check === "passed" ? "passed its check" : "failed its check";
  return { title: `${name} ${done}`, quote: text("detail") };
}

function numberWords(data: TimelineEntry["data"], text: Text): EntryWords {
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

function ignoredWords(text: Text): EntryWords {
  const word = text("raw_status");
  if (word === null) return { title: "A decision came too late and changed nothing", quote: null };
  const kind = text("kind");
  const meant = kind === null ? "" : ` (${kind})`;
  return { title: `A status update changed nothing${meant}`, quote: word };
}
