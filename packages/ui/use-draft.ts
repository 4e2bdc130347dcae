import { useSyncExternalStore } from "react";

const nameOf = (key: string): string => `draft:${key}`;

/** What is kept under a key; empty where nothing is. */
export function draftUnder(key: string): string {
  return sessionStorage.getItem(nameOf(key)) ?? "";
}

/** A button's text, which says so where a draft under this key waits to be sent. */
export function withDraft(text: string, key: string): string {
  return draftUnder(key) === "" ? text : `${text} (draft)`;
}

const readers = new Set<() => void>();

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

function keep(key: string, text: string): void {
  if (text === "") sessionStorage.removeItem(nameOf(key));
  else sessionStorage.setItem(nameOf(key), text);
  for (const read of readers) read();
}

interface Draft {
  readonly text: string;
  readonly write: (text: string) => void;
  /** Takes out what was sent, and leaves what was written meanwhile; also where the draft is no longer shown. */
  readonly takeOut: (sent: string) => void;
}

/** A text that is kept in the tab until it is sent: it survives a reload and a failed connection. */
export function useDraft(key: string): Draft {
  return {
    text: useSyncExternalStore(subscribe, () => draftUnder(key)),
    write: (text) => keep(key, text),
    takeOut: (sent) => keep(key, restOfDraft(draftUnder(key), sent)),
  };
}

/** What a draft holds that was written since its beginning was sent; the whole of it where that has been changed. */
export function restOfDraft(draft: string, sent: string): string {
  const [text, gone] = [draft.trimStart(), sent.trimStart()];
  return text.startsWith(gone) ? text.slice(gone.length).trimStart() : draft;
}
