/** What an operator means to decide about one requirement; nobody else knows of it until it is sent. */
export interface DraftVerdict {
  readonly slug: string;
  readonly decision: "approve" | "reject";
  readonly code: string | null;
  readonly reason: string | null;
}

/** The unsent work on one attempt of an order. */
export interface Draft {
  /** At most one for each requirement, in the order in which they were given. */
  readonly verdicts: readonly DraftVerdict[];
  /** What `verdicts` was before each act, the latest last. */
  readonly undone: readonly (readonly DraftVerdict[])[];
  /** The documents that were shown. */
  readonly seen: readonly string[];
}

export const EMPTY_DRAFT: Draft = { verdicts: [], undone: [], seen: [] };

const MOST_UNDO = 50;

/** Gives these verdicts in one act; a verdict replaces an earlier one on the same requirement. */
export function withVerdicts(draft: Draft, given: readonly DraftVerdict[]): Draft {
  if (given.length === 0) return draft;
  const slugs = new Set(given.map(({ slug }) => slug));
  const others = draft.verdicts.filter(({ slug }) => !slugs.has(slug));
  return {
    ...draft,
    verdicts: [...others, ...given],
    undone: [...draft.undone, draft.verdicts].slice(-MOST_UNDO),
  };
}

/** Takes the last act back. */
export function undo(draft: Draft): Draft {
  const before = draft.undone.at(-1);
  if (before === undefined) return draft;
  return { ...draft, verdicts: before, undone: draft.undone.slice(0, -1) };
}

export function withSeen(draft: Draft, documentId: string): Draft {
  if (draft.seen.includes(documentId)) return draft;
  return { ...draft, seen: [...draft.seen, documentId] };
}

export function verdictOn(draft: Pick<Draft, "verdicts">, slug: string): DraftVerdict | null {
  return draft.verdicts.find((verdict) => verdict.slug === slug) ?? null;
}
