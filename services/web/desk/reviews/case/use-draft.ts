import { useState } from "react";
import { EMPTY_DRAFT, type Draft } from "../drafts/draft.ts";
import { keepDraft, readDraft } from "../drafts/read-draft.ts";

/** The unsent work on an attempt, kept over reloads of the page. */
export function useDraft(orderId: string, attempt: number) {
  const [draft, setDraft] = useState(() => readDraft(orderId, attempt));
  const change = (next: (before: Draft) => Draft): void =>
    setDraft((before) => {
      const after = next(before);
      keepDraft(orderId, attempt, after);
      return after;
    });
  const clear = (): void => {
    // Where the case has been left, its state changes no more.
    keepDraft(orderId, attempt, EMPTY_DRAFT);
    change(() => EMPTY_DRAFT);
  };
  return { draft, change, clear };
}
