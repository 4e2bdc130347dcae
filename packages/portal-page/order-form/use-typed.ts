import { useState } from "react";
import { draftUnder, useDraft } from "../../ui/use-draft.ts";
import { isKept, isOf, keptOf, readKept, without, type Typed } from "./changes.ts";

interface Typing {
  readonly typed: Typed;
  readonly write: (name: string, text: string) => void;
  /** What was typed under names that begin so is not needed any more. */
  readonly forget: (slug: string) => void;
  /** What was sent is no longer a draft, unless it was changed meanwhile. */
  readonly takeOut: (slug: string, sent: Typed) => void;
}

/** What is typed on an order's page and not saved yet: kept in the tab, but for secrets. */
export function useTyped(orderId: string): Typing {
  const key = `fields:${orderId}`;
  const draft = useDraft(key);
  const [secrets, setSecrets] = useState<Typed>({});
  const keep = (next: Typed): void => {
    const kept = keptOf(next);
    draft.write(Object.keys(kept).length === 0 ? "" : JSON.stringify(kept));
  };
  const change = (by: (all: Typed) => Typed): void => {
    keep(by(readKept(draftUnder(key))));
    setSecrets(by);
  };
  return {
    typed: { ...readKept(draft.text), ...secrets },
    write: (name, text) => {
      if (isKept(name)) keep({ ...readKept(draftUnder(key)), [name]: text });
      else setSecrets((before) => ({ ...before, [name]: text }));
    },
    forget: (slug) => change((all) => without(all, slug)),
    takeOut: (slug, sent) => {
      const isSent = ([name, text]: [string, string]) => isOf(name, slug) && sent[name] === text;
      change((all) => Object.fromEntries(Object.entries(all).filter((pair) => !isSent(pair))));
    },
  };
}
