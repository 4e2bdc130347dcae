import { Button } from "../../../ui/button.tsx";
import { DataView } from "../../../ui/data-view.tsx";
import { Card } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Order, useTimeline } from "../queries.ts";
import { groupTimeline, type TimelineLine } from "./group-timeline.ts";
import styles from "./timeline-card.module.css";

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
            {groupTimeline(entries, (slug) => names.get(slug) ?? slug).map((line) => (
              <Line key={line.id} line={line} />
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

const SIDES = {
  customer: "Customer",
  desk: "Desk",
  carrier: "Carrier",
  system: "Service",
} as const;

function Line({ line: { at, actor, title, quote } }: { readonly line: TimelineLine }) {
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
