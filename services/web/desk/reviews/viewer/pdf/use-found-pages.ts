import { useEffect, useState } from "react";
import { findInText, type TextMatch } from "../find-in-text.ts";
import type { Pdf } from "./load-pdf.ts";

interface FoundMatch {
  readonly page: number;
  readonly match: TextMatch;
}

export interface FoundPages {
  readonly count: number;
  /** False for a scan, in which nothing can be found. */
  readonly hasText: boolean;
  /** The nth match, counted round and round. */
  at(nth: number): FoundMatch | null;
  onPage(page: number): readonly TextMatch[];
}

/** Papers are short; a longer file is searched as far as this. */
const MOST_PAGES = 100;

/** Where a value stands in a PDF; null while it is searched. */
export function useFoundPages(pdf: Pdf, value: string): FoundPages | null {
  const [state, setState] = useState<{ value: string; found: FoundPages } | null>(null);
  useEffect(() => {
    if (value === "") return;
    let isLeft = false;
    void searchPages(pdf, value).then((found) => !isLeft && setState({ value, found }));
    return () => {
      isLeft = true;
    };
  }, [pdf, value]);
  return state !== null && state.value === value ? state.found : null;
}

async function searchPages(pdf: Pdf, value: string): Promise<FoundPages> {
  const numbers = Array.from({ length: Math.min(pdf.pageCount, MOST_PAGES) }, (_, n) => n + 1);
  const texts = await Promise.all(numbers.map((page) => pdf.text(page).catch(() => [])));
  const all = texts.flatMap((pieces, n) =>
    findInText(pieces, value).map((match) => ({ page: n + 1, match })),
  );
  return {
    count: all.length,
    hasText: texts.some((pieces) => pieces.some((piece) => piece.trim() !== "")),
    at: (nth) => all[nth % all.length] ?? null,
    onPage: (page) => all.filter((one) => one.page === page).map(({ match }) => match),
  };
}
