import { Link } from "wouter";
import { Button } from "../../ui/button.tsx";
import { CopiedId } from "../../ui/copy.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { useRead } from "../../ui/http/read.ts";
import type { Page as Listed } from "../../ui/http/request.ts";
import { useUrlFilters } from "../../ui/list.tsx";
import { counted } from "../../ui/list-rules.ts";
import { Card, Facts, JsonView, Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import type { Delivery } from "../../ui/webhooks/webhook-words.ts";
import { useDeliveries } from "../deliveries/deliveries.ts";
import { DeliveryList } from "../deliveries/delivery-list.tsx";
import { EVENTS_PATH, type Event } from "./events.ts";

/** One event: its payload, and who was told of it. */
export default function EventPage({ id }: { readonly id: string }) {
  return (
    <DataView query={useRead<Event>("events", `${EVENTS_PATH}/${id}`)}>
      {(event) => <Shown event={event} />}
    </DataView>
  );
}

function Shown({
  event: { id, type, order_id: orderId, created_at: at, payload },
}: {
  readonly event: Event;
}) {
  const { page } = useUrlFilters([]);
  const deliveries = useDeliveries(page, `${EVENTS_PATH}/${id}/deliveries`);
  return (
    <Page title={type} actions={<RepublishButton id={id} />}>
      <Card>
        <Facts
          facts={[
            ["When", <Time key="when" at={at} />],
            [
              "Order",
              orderId === null ? "–" : <Link href={`/orders/${orderId}`}>Open the order</Link>,
            ],
            ["Id", <CopiedId key="id" value={id} what="the event’s id" />],
          ]}
        />
      </Card>
      <Card title="Payload">
        <JsonView label="The event’s payload" value={payload} />
      </Card>
      <Card title="Deliveries">
        <DeliveryList
          query={deliveries}
          empty={<p className="muted">No endpoint wanted to know of it.</p>}
        />
      </Card>
    </Page>
  );
}

/** Sends the event to the endpoints that match it now. */
function RepublishButton({ id }: { readonly id: string }) {
  const republish = useCommand<Pick<Listed<Delivery>, "data">>({ refreshes: ["deliveries"] });
  const toasts = useToasts();
  const onClick = (): void =>
    republish.run(
      { path: `${EVENTS_PATH}/${id}/republish` },
      {
        onDone: ({ data }) =>
          data.length === 0
            ? toasts.notDone("Nothing was sent", "No active endpoint wants this event now.")
            : toasts.done(`It is sent to ${counted(data.length, "address", "addresses")} again`),
        onFailed: toasts.failed,
      },
    );
  return (
    <Button kind="primary" isBusy={republish.isPending} onClick={onClick}>
      Send again
    </Button>
  );
}
