import type { TimelineEntry } from "../queries.ts";
import { wordsOf, type EntryWords } from "./timeline-words.ts";

/** One line of the timeline: an entry, or several alike that one person wrote one after the other. */
export interface TimelineLine extends EntryWords {
  readonly id: string;
  readonly at: string;
  readonly actor: TimelineEntry["actor"];
}

const TOGETHER_MS = 10 * 60_000;

type NameOf = (slug: string) => string;

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
