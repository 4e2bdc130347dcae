import { Link } from "wouter";
import { RETRIABLE_STATUSES } from "../../../services/domain/webhook/rules/delivery-transitions.ts";
import { Badge } from "../badge.tsx";
import { Button } from "../button.tsx";
import { CopiedId } from "../copy.tsx";
import { useCommand } from "../http/command.ts";
import { Table, type Column } from "../list.tsx";
import { Card, Facts, JsonView, Page, type Fact } from "../page.tsx";
import { DataView } from "../states.tsx";
import { Time } from "../time.tsx";
import { useToasts } from "../toasts.tsx";
import { DeliveryStatus } from "./delivery-list.tsx";
import { retryPath, useDelivery, type WebhookSide } from "./webhook-side.ts";
import type { Delivery } from "./webhook-words.ts";

interface DeliveryPageProps<D> {
  readonly side: WebhookSide;
  readonly id: string;
  readonly mayRetry: boolean;
  /** What one side alone knows. */
  readonly factsOf?: (delivery: D) => readonly Fact[];
}

/** One webhook: what became of it, each attempt, and its body. */
export function DeliveryPage<D extends Delivery>(props: DeliveryPageProps<D>) {
  const { side, id, mayRetry, factsOf } = props;
  const query = useDelivery<D>(side, id);
  return (
    <DataView query={query}>
      {(delivery) => (
        <Page
          title={delivery.event_type}
          actions={
            mayRetry &&
            RETRIABLE_STATUSES.includes(delivery.status) && <RetryButton {...{ side, id }} />
          }
        >
          <Card>
            <Facts facts={[...(factsOf?.(delivery) ?? []), ...deliveryFacts(delivery, side)]} />
          </Card>
          <Card title="Attempts">
            {delivery.attempt_log.length === 0 ? (
              <p className="muted">None was made yet.</p>
            ) : (
              <Table
                caption="Attempts"
                columns={ATTEMPTS}
                rows={delivery.attempt_log}
                keyOf={({ attempt, started_at }) => `${attempt} ${started_at}`}
              />
            )}
          </Card>
          <Card title="Body">
            <JsonView label="The body that was sent" value={delivery.payload} />
          </Card>
        </Page>
      )}
    </DataView>
  );
}

function RetryButton({ side, id }: { readonly side: WebhookSide; readonly id: string }) {
  const retry = useCommand({ refreshes: ["deliveries"] });
  const toasts = useToasts();
  const onRetry = (): void =>
    retry.run(
      { path: retryPath(side, id) },
      { onDone: () => toasts.done("It is tried once more now"), onFailed: toasts.failed },
    );
  return (
    <Button kind="primary" isBusy={retry.isPending} onClick={onRetry}>
      Retry now
    </Button>
  );
}

/** Why a delivery was made. */
const TRIGGERS: Readonly<Record<Delivery["trigger"], string>> = {
  event: "The event happened",
  republish: "The event was sent again",
  recover: "A recovery",
  test: "A test",
};

function deliveryFacts(delivery: Delivery, side: WebhookSide): Fact[] {
  const { id, event_id, porting_order_id: orderId, webhook_endpoint_id: endpointId } = delivery;
  const { url, trigger, next_attempt_at: next } = delivery;
  return [
    ["Status", <DeliveryStatus key="status" status={delivery.status} />],
    ["Created", <Time key="created" at={delivery.created_at} />],
    ...(next === null ? [] : [["Next attempt", <Time at={next} form="relative" />] as const]),
    ["Why it was made", TRIGGERS[trigger]],
    ["To", endpointId === null ? url : <Link href={side.endpointPage(endpointId)}>{url}</Link>],
    ["Order", orderId === null ? "–" : <Link href={`/orders/${orderId}`}>Open the order</Link>],
    [
      "Event",
      // A test's event is nowhere else.
      trigger === "test" ? "–" : <Link href={side.eventPage(event_id)}>Show the event</Link>,
    ],
    ["Event id", <CopiedId key="event" value={event_id} what="the event’s id" />],
    ["Id", <CopiedId key="id" value={id} what="the delivery’s id" />],
  ];
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
  {
    title: "What came back",
    cell: ({ error, response_body: body, body_omitted: isOmitted }) => (
      <>
        {error?.message}
        {body ? <span className="under as-written">{body}</span> : error === null && "–"}
        {isOmitted && <span className="under">The answer’s body is not kept.</span>}
      </>
    ),
  },
  {
    title: "Started",
    cell: ({ started_at: at, duration_ms: ms }) => (
      <>
        <Time at={at} />
        <span className="under">took {ms.toLocaleString("en")} ms</span>
      </>
    ),
  },
];
