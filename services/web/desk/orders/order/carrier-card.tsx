import { Card, Facts } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Order, TimelineEntry } from "../queries.ts";
import { carrierQuotesOf } from "./carrier-quotes.ts";
import styles from "./carrier-card.module.css";

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
