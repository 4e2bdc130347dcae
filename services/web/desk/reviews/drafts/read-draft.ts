import { EMPTY_DRAFT, type Draft } from "./draft.ts";

/** Drafts live as long as the browser's tab; another attempt of the order begins with none. */
function keyOf(orderId: string, attempt: number): string {
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
