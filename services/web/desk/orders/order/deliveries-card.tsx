import { useState } from "react";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { DataView } from "../../../ui/data-view.tsx";
import { Card } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import { counted } from "../order-words.ts";
import { useDeliveries, useDelivery, type Delivery } from "../queries.ts";
import styles from "./deliveries-card.module.css";

const STATES: Readonly<Record<Delivery["status"], { readonly name: string; readonly tone: Tone }>> =
  {
    pending: { name: "Pending", tone: "info" },
    retrying: { name: "Retrying", tone: "warning" },
    succeeded: { name: "Succeeded", tone: "good" },
    failed: { name: "Failed", tone: "bad" },
    skipped: { name: "Skipped", tone: "neutral" },
    cancelled: { name: "Cancelled", tone: "neutral" },
  };

/** Which webhooks went out for the order, and what each receiver answered. */
export function DeliveriesCard({ orderId }: { readonly orderId: string }) {
  const query = useDeliveries(orderId);
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  return (
    <Card title="Deliveries">
      <DataView query={query}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p className={styles["none"]}>
              No webhook was made for this order: nobody subscribed to its events.
            </p>
          ) : (
            <ul className={styles["deliveries"]}>
              {deliveries.map((delivery) => (
                <OneDelivery key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          )
        }
      </DataView>
      {hasNextPage && (
        <Button kind="quiet" isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show earlier deliveries
        </Button>
      )}
    </Card>
  );
}

function OneDelivery({ delivery: listed }: { readonly delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false);
  const { data: delivery = listed } = useDelivery(listed.id, isOpen);
  const { event_type: type, url, status, attempt_log: attempts, next_attempt_at: next } = delivery;
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className={styles["summary"]}>
          <span className={styles["type"]}>{type}</span>
          <Badge tone={STATES[status].tone}>{STATES[status].name}</Badge>
          <span className={styles["url"]}>
            {url} · {counted(delivery.attempt_count, "attempt")} · <Time at={delivery.created_at} />
          </span>
        </summary>
        <ol className={styles["attempts"]}>
          {attempts.map((one) => (
            <li key={`${one.attempt} ${one.started_at}`}>
              <strong>{one.response_code ?? one.error?.code ?? "–"}</strong> in {one.duration_ms}{" "}
              ms, <Time at={one.started_at} />
              {one.error !== null && <p>{one.error.message}</p>}
              {one.response_body !== null && one.response_body !== "" && (
                <pre className={styles["answer"]}>{one.response_body}</pre>
              )}
            </li>
          ))}
          {attempts.length === 0 && <li>No attempt yet.</li>}
        </ol>
        {next !== null && (
          <p className={styles["none"]}>
            The next attempt is <Time at={next} form="relative" />.
          </p>
        )}
      </details>
    </li>
  );
}
