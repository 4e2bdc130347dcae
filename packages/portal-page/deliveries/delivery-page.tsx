import { Link } from "wouter";
import { RETRIABLE_STATUSES } from "../../../services/domain/webhook/rules/delivery-transitions.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Table, type Column } from "../../ui/list.tsx";
import { Card, Facts, JsonView, Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import styles from "./deliveries.module.css";
import { deliveryWords, retryPath, useDelivery, useRetry, type Delivery } from "./deliveries.ts";

export default function DeliveryPage({ id }: { readonly id: string }) {
  return <DataView query={useDelivery(id)}>{(delivery) => <Shown {...{ delivery }} />}</DataView>;
}

function Shown({ delivery }: { readonly delivery: Delivery }) {
  const retry = useRetry();
  const toasts = useToasts();
  const mayRetry = RETRIABLE_STATUSES.includes(delivery.status);
  const onRetry = (): void =>
    retry.run(
      { path: retryPath(delivery.id) },
      { onDone: () => toasts.done("It is tried once more now"), onFailed: toasts.failed },
    );
  return (
    <Page
      title={delivery.event_type}
      actions={
        mayRetry && (
          <Button kind="primary" isBusy={retry.isPending} onClick={onRetry}>
            Retry now
          </Button>
        )
      }
    >
      <Card>
        <DeliveryFacts delivery={delivery} />
      </Card>
      <Card title="Attempts">
        {delivery.attempt_log.length === 0 ? (
          <p className="muted">None was made yet.</p>
        ) : (
          <Table
            caption="Attempts"
            columns={ATTEMPTS}
            rows={delivery.attempt_log}
            keyOf={({ attempt }) => String(attempt)}
          />
        )}
      </Card>
      <Card title="Body">
        <JsonView label="The body that was sent" value={delivery.payload} />
      </Card>
    </Page>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const [text, tone] = deliveryWords(delivery.status);
  const { porting_order_id: orderId, webhook_endpoint_id: endpointId } = delivery;
  return (
    <Facts
      facts={[
        [
          "Status",
          <Badge key="status" tone={tone}>
            {text}
          </Badge>,
        ],
        ["Created", <Time key="created" at={delivery.created_at} />],
        ["Next attempt", <Time key="next" at={delivery.next_attempt_at} form="relative" />],
        ["Why it was made", delivery.trigger],
        [
          "To",
          endpointId === null ? (
            delivery.url
          ) : (
            <Link href={`/endpoints/${endpointId}`}>{delivery.url}</Link>
          ),
        ],
        ["Order", orderId === null ? "–" : <Link href={`/orders/${orderId}`}>Open the order</Link>],
        ["Event id", <code key="event">{delivery.event_id}</code>],
      ]}
    />
  );
}

type Attempt = Delivery["attempt_log"][number];

const ATTEMPTS: readonly Column<Attempt>[] = [
  { title: "Attempt", cell: ({ attempt }) => attempt },
  {
    title: "Answer",
    cell: ({ response_code: code, error }) => (
      <Badge tone={error === null ? "good" : "bad"}>{code ?? "None"}</Badge>
    ),
  },
  { title: "Why it failed", cell: ({ error }) => error?.message ?? "–" },
  { title: "Took", cell: ({ duration_ms: ms }) => `${ms} ms`, align: "right" },
  { title: "Started", cell: ({ started_at }) => <Time at={started_at} /> },
  {
    title: "Response",
    cell: ({ response_body: body }) => <span className={styles["url"]}>{body || "–"}</span>,
    isMinor: true,
  },
];
