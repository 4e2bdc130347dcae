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
  /** Which pages of each document were on the screen, by its id. */
  readonly shown: Readonly<Record<string, ShownPages>>;
}

interface ShownPages {
  /** From 1, in the order in which they were shown. */
  readonly pages: readonly number[];
  /** How many the document has. */
  readonly of: number;
}

export const EMPTY_DRAFT: Draft = { verdicts: [], undone: [], shown: {} };

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

/** The requirements on which the last act gave a verdict. */
export function lastDecided({ verdicts, undone }: Draft): readonly string[] {
  const before = new Set(undone.at(-1) ?? verdicts);
  return verdicts.filter((verdict) => !before.has(verdict)).map(({ slug }) => slug);
}

/** Takes the last act back. */
export function undo(draft: Draft): Draft {
  const before = draft.undone.at(-1);
  if (before === undefined) return draft;
  return { ...draft, verdicts: before, undone: draft.undone.slice(0, -1) };
}

/** A page of a document was on the screen; `of` is how many the document has. */
export function withShown(draft: Draft, documentId: string, page: number, of: number): Draft {
  const before = draft.shown[documentId]?.pages ?? [];
  if (before.includes(page)) return draft;
  return { ...draft, shown: { ...draft.shown, [documentId]: { pages: [...before, page], of } } };
}

export function isWholeShown({ shown }: Pick<Draft, "shown">, documentId: string): boolean {
  const known = shown[documentId];
  return known !== undefined && known.pages.length >= known.of;
}

export function verdictOn(draft: Pick<Draft, "verdicts">, slug: string): DraftVerdict | null {
  return draft.verdicts.find((verdict) => verdict.slug === slug) ?? null;
}

/** Whether there are verdicts that wait to be sent, on any attempt of an order. */
export function hasVerdicts(orderId: string): boolean {
  return Object.entries(sessionStorage).some(
    ([name, text]) =>
      name.startsWith(keyOf(orderId, "")) &&
      (JSON.parse(String(text)) as Draft).verdicts.length > 0,
  );
}

/** Drafts live as long as the browser's tab; another attempt of the order begins with none. */
function keyOf(orderId: string, attempt: number | ""): string {
  return `desk.draft.${orderId}.${attempt}`;
}

export function readDraft(orderId: string, attempt: number): Draft {
  const kept = sessionStorage.getItem(keyOf(orderId, attempt));
  if (kept === null) return EMPTY_DRAFT;
  return { ...EMPTY_DRAFT, ...(JSON.parse(kept) as Partial<Draft>) };
}

export function keepDraft(orderId: string, attempt: number, draft: Draft): void {
  if (draft === EMPTY_DRAFT) sessionStorage.removeItem(keyOf(orderId, attempt));
  else sessionStorage.setItem(keyOf(orderId, attempt), JSON.stringify(draft));
}
