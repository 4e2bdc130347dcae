import { Card, Facts } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Order, TimelineEntry } from "../queries.ts";
import styles from "./carrier-card.module.css";
import { wordsOf } from "./timeline-words.ts";

interface CarrierCardProps {
  readonly order: Order;
  readonly timeline: readonly TimelineEntry[];
}

/** What the carrier said in its own words, and what became of it here. */
export function CarrierCard({ order, timeline }: CarrierCardProps) {
  const { provider, provider_status: word, provider_status_at: at, request_version: sent } = order;
  const quotes = carrierQuotesOf(order, timeline);
  return (
    <Card title="The carrier’s words">
      <Facts
        facts={[
          ["Provider", provider],
          ["Requests sent", sent === 0 ? "None yet" : `Version ${sent}`],
          [
            "Its status",
            word === "" ? (
              "None yet"
            ) : (
              <>
                <q className={styles["words"]}>{word}</q> <Time at={at} form="past" />
              </>
            ),
          ],
        ]}
      />
      {quotes.length > 0 && (
        <ol className={styles["quotes"]}>
          {quotes.map(({ key, at: when, words, meaning }) => (
            <li key={key}>
              <q className={styles["words"]}>{words}</q>
              <p className={styles["meaning"]}>
                {meaning} · <Time at={when} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

export interface CarrierQuote {
  readonly key: string;
  readonly at: string;
  /** The carrier's own words, unchanged. */
  readonly words: string;
  /** What became of them here. */
  readonly meaning: string;
}

/** What the carrier said of an order in its own words, the latest first. */
function carrierQuotesOf(
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
