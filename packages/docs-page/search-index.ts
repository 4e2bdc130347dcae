import type MiniSearch from "minisearch";
import type { SearchResult } from "minisearch";

/** A part of a page, as the build wrote it (infra/docs-site/search-sections.ts). */
interface Section {
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

export interface Found extends Section {
  /** The words of the text that were found, in lower case. */
  readonly terms: readonly string[];
}

interface Opened {
  readonly engine: MiniSearch<Section>;
  readonly sections: ReadonlyMap<string, Section>;
}

const SHOWN = 8;

/** Searches the site. The sections and the engine are fetched at the first call alone. */
export class SearchIndex {
  readonly #url: string;
  #opened: Promise<Opened> | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** The best sections first. */
  async find(query: string): Promise<Found[]> {
    const { engine, sections } = await this.open();
    const results = engine.search(query).slice(0, SHOWN);
    return results.flatMap(({ id, terms }: SearchResult) => {
      const section = sections.get(String(id));
      return section === undefined ? [] : [{ ...section, terms }];
    });
  }

  /** A fetch that failed is tried again at the next call. */
  open(): Promise<Opened> {
    this.#opened ??= this.#fetch().catch((error: unknown) => {
      this.#opened = null;
      throw error;
    });
    return this.#opened;
  }

  async #fetch(): Promise<Opened> {
    const [{ default: Engine }, answer] = await Promise.all([
      import("minisearch"),
      fetch(this.#url),
    ]);
    if (!answer.ok) throw new Error(`${this.#url} was answered with ${answer.status}.`);
    const all = (await answer.json()) as readonly Section[];
    const engine = new Engine<Section>({
      fields: ["heading", "page", "text"],
      searchOptions: {
        prefix: true,
        fuzzy: (term) => (term.length > 4 ? 0.2 : 0),
        combineWith: "AND",
        boost: { heading: 4, page: 2 },
        // Most who search are customers; what operators read has many of the same words.
        boostDocument: (id) => {
          if (String(id).includes("/guides/")) return 2;
          return String(id).includes("/desk-api") ? 0.5 : 1;
        },
      },
    });
    engine.addAll(all);
    return { engine, sections: new Map(all.map((section) => [section.id, section])) };
  }
}

/** A piece of text, and whether it is one of the words that were searched for. */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

const BEFORE = 40;
const LENGTH = 160;

/** The part of a text around the first of the terms, in pieces. */
export function snippetOf(text: string, terms: readonly string[]): Piece[] {
  const found = terms.map((term) => text.toLowerCase().indexOf(term)).filter((at) => at >= 0);
  const first = found.length === 0 ? 0 : Math.min(...found);
  const start = first <= BEFORE ? 0 : text.lastIndexOf(" ", first - BEFORE) + 1;
  const part = text.slice(start, start + LENGTH);
  const shown = `${start > 0 ? "… " : ""}${part}${start + LENGTH < text.length ? " …" : ""}`;
  return piecesOf(shown, terms);
}

/** A text cut at the terms in it; terms are in lower case. */
export function piecesOf(text: string, terms: readonly string[]): Piece[] {
  if (terms.length === 0) return [{ text, isMatch: false }];
  const longestFirst = terms.toSorted((a, b) => b.length - a.length);
  const pattern = longestFirst.map((term) => term.replaceAll(/[^\p{L}\p{N}]/gu, "\\$&")).join("|");
  return text
    .split(new RegExp(`(${pattern})`, "i"))
    .map((piece, n) => ({ text: piece, isMatch: n % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
