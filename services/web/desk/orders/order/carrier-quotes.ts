import type { Order, TimelineEntry } from "../queries.ts";
import { wordsOf } from "./timeline-words.ts";

export interface CarrierQuote {
  readonly key: string;
  readonly at: string;
  /** The carrier's own words, unchanged. */
  readonly words: string;
  /** What became of them here. */
  readonly meaning: string;
}

/** What the carrier said of an order in its own words, the latest first. */
export function carrierQuotesOf(
  order: Pick<Order, "exceptions" | "closed_reason" | "closed_at" | "requirements">,
  timeline: readonly TimelineEntry[],
): readonly CarrierQuote[] {
  const names = new Map(order.requirements.map(({ slug, name }) => [slug, name]));
  const said = timeline
    .filter(({ actor, kind }) => actor.type === "carrier" || kind === "carrier")
    .flatMap((entry) => {
      const { title, quote } = wordsOf(entry, (slug) => names.get(slug) ?? slug);
      return quote === null ? [] : [{ key: entry.id, at: entry.at, words: quote, meaning: title }];
    });
  const objected = order.exceptions
    .filter(({ raised_by: by }) => by === "carrier")
    .map(({ code, detail, raised_at: at }) => ({
      key: `exception ${at} ${code}`,
      at,
      words: detail,
      meaning: `Rejected: ${code ?? "other"}`,
    }));
  const { closed_reason: closed, closed_at: at } = order;
  const ended =
    closed?.raised_by === "carrier"
      ? [{ key: "end", at: at ?? "", words: closed.detail, meaning: `Ended: ${closed.code}` }]
      : [];
  const known = new Set(said.map(({ words }) => words));
  const others = [...objected, ...ended].filter(({ words }) => !known.has(words));
  return [...said, ...others].toSorted((a, b) => b.at.localeCompare(a.at));
}
