/** What these parts say by themselves, whatever page they stand on. */
export interface OwnWords {
  readonly loading: string;
  readonly failed: string;
  readonly retry: string;
  readonly request: string;
}

export const ENGLISH: OwnWords = {
  loading: "Loading…",
  failed: "This page failed",
  retry: "Retry",
  request: "Request",
};

let words = ENGLISH;

/** From now on, by a page that is not in English. */
export function sayIn(others: OwnWords): void {
  words = others;
}

export function ownWords(): OwnWords {
  return words;
}
