import { Button } from "../../../ui/button.tsx";
import { DataView } from "../../../ui/data-view.tsx";
import { Card } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Order, TimelineEntry, useTimeline } from "../queries.ts";
import styles from "./timeline-card.module.css";
import { wordsOf } from "./timeline-words.ts";

interface TimelineCardProps {
  readonly order: Order;
  readonly query: ReturnType<typeof useTimeline>;
}

/** Everything that happened to the order, the latest first. */
export function TimelineCard({ order, query }: TimelineCardProps) {
  const names = new Map(order.requirements.map(({ slug, name }) => [slug, name]));
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  return (
    <Card title="Timeline">
      <DataView query={query}>
        {(entries) => (
          <ol className={styles["timeline"]}>
            {entries.map((entry) => (
              <Entry key={entry.id} entry={entry} nameOf={(slug) => names.get(slug) ?? slug} />
            ))}
          </ol>
        )}
      </DataView>
      {hasNextPage && (
        <Button kind="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier entries
        </Button>
      )}
    </Card>
  );
}

interface EntryProps {
  readonly entry: TimelineEntry;
  readonly nameOf: (slug: string) => string;
}

const SIDES = {
  customer: "Customer",
  desk: "Desk",
  carrier: "Carrier",
  system: "Service",
} as const;

function Entry({ entry, nameOf }: EntryProps) {
  const { at, actor } = entry;
  const { title, quote } = wordsOf(entry, nameOf);
  return (
    <li className={styles[actor.type]}>
      <p className={styles["title"]}>{title}</p>
      {quote !== null && <p className={styles["quote"]}>{quote}</p>}
      <p className={styles["who"]}>
        {SIDES[actor.type]}
        {actor.name !== null && ` (${actor.name})`} · <Time at={at} />
      </p>
    </li>
  );
}
