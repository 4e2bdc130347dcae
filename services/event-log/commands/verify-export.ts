import { createHash } from "node:crypto";
import type { FeedEvent } from "../../domain/event/store/feed.ts";
import { eventLine } from "./event-lines.ts";

export interface TopicEvent {
  readonly id: string;
  readonly body: Buffer;
}

/** The contents of the log and the topic, as `verifyExport` reads them. */
export interface Sources {
  /** The account's events in the log, in the feed's order, page by page. */
  readonly log: AsyncIterable<readonly FeedEvent[]>;
  /** Reads every event of the account on the topic, duplicates included, in no particular order. */
  readonly readTopic: (onEvent: (event: TopicEvent) => void) => Promise<void>;
  /** Called for events that were published after the log was read. */
  readonly isLogged: (id: string) => Promise<boolean>;
  /** Whether the topic still holds all records since its first. */
  readonly topicIsWhole: boolean;
}

export interface Verified {
  readonly events: number;
  /** Events in the log that are newer than the export. */
  readonly newer: number;
  /** Duplicates on the topic, each with the same bytes. */
  readonly repeats: number;
}

/** `difference` describes the first mismatch between the three. */
export type Verdict = Verified | { readonly difference: string };

/**
 * Compares an export (lines without line endings, none empty), the log and the topic by id and bytes. It
 * keeps a hash per event, not the events.
 */
export async function verifyExport(
  lines: AsyncIterable<string>,
  sources: Sources,
): Promise<Verdict> {
  const exported = lines[Symbol.asyncIterator]();
  const hashes = new Map<string, string>();
  let events = 0;
  let newer = 0;
  for await (const page of sources.log) {
    for (const event of page) {
      hashes.set(event.id, hashOf(event.body));
      const line = await exported.next();
      if (line.done === true) newer += 1;
      else if (line.value === eventLine(event)) events += 1;
      else return { difference: lineDifference(line.value, event) };
    }
  }
  const extra = await exported.next();
  if (extra.done !== true) {
    return { difference: `line ${events + 1}: the log has no such event` };
  }
  const onTopic = await checkTopic(sources, hashes);
  return "difference" in onTopic ? onTopic : { events, newer, repeats: onTopic.repeats };
}

function lineDifference(line: string, { seq, id }: FeedEvent): string {
  if (!line.includes(`"id":"${id}"`)) return `seq ${seq}: the export lacks event ${id}`;
  return `seq ${seq}: event ${id} differs between the export and the log`;
}

async function checkTopic(
  { readTopic, isLogged, topicIsWhole }: Sources,
  hashes: ReadonlyMap<string, string>,
): Promise<{ readonly repeats: number } | { readonly difference: string }> {
  const seen = new Set<string>();
  const unknown = new Set<string>();
  let repeats = 0;
  const changed: string[] = [];
  await readTopic(({ id, body }) => {
    const hash = hashes.get(id);
    if (hash === undefined) unknown.add(id);
    else if (hash !== hashOf(body) && changed.length === 0) changed.push(id);
    if (seen.has(id)) repeats += 1;
    seen.add(id);
  });
  const [first] = changed;
  if (first !== undefined) {
    return { difference: `event ${first} differs between the topic and the log` };
  }
  for (const id of unknown) {
    if (await isLogged(id)) continue;
    return { difference: `event ${id} is on the topic, not in the log` };
  }
  const absent = topicIsWhole ? [...hashes.keys()].find((id) => !seen.has(id)) : undefined;
  if (absent === undefined) return { repeats };
  return { difference: `event ${absent} is in the log, not on the topic` };
}

function hashOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("base64");
}
