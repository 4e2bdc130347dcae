import { Link, useSearchParams } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useEndpoints } from "../endpoints/queries.ts";
import { FilterField, Filters } from "../lists/filters.tsx";
import { Pager } from "../lists/pager.tsx";
import { DELIVERY_WORDS, deliveryWords, lastOutcome, type Delivery } from "./delivery-types.ts";
import { useDeliveries, useEventTypes } from "./queries.ts";
import styles from "./deliveries.module.css";

const FILTERS = ["status", "event_type", "webhook_endpoint_id", "porting_order_id"] as const;

export default function DeliveriesPage() {
  const [search] = useSearchParams();
  const filter = Object.fromEntries(FILTERS.map((name) => [name, search.get(name)]));
  const query = useDeliveries({ ...filter, starting_after: search.get("starting_after") });
  return (
    <Page title="Deliveries">
      <DeliveryFilters />
      <DataView query={query}>
        {({ data, has_more: hasMore }) =>
          data.length === 0 ? (
            <Empty title="No deliveries here">
              A delivery is made when something happens and an endpoint wants to know. If you
              filter, another filter may show some.
            </Empty>
          ) : (
            <>
              <Table caption="Deliveries" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              <Pager lastId={hasMore ? data.at(-1)?.id : undefined} />
            </>
          )
        }
      </DataView>
    </Page>
  );
}

function DeliveryFilters() {
  const types = useEventTypes().data?.data ?? [];
  const endpoints = useEndpoints().data?.data ?? [];
  return (
    <Filters>
      <FilterField name="status" label="Status">
        <option value="">Any</option>
        {Object.entries(DELIVERY_WORDS).map(([status, [text]]) => (
          <option key={status} value={status}>
            {text}
          </option>
        ))}
      </FilterField>
      <FilterField name="event_type" label="Event">
        <option value="">Any</option>
        {types.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </FilterField>
      <FilterField name="webhook_endpoint_id" label="Endpoint">
        <option value="">Any</option>
        {endpoints.map(({ id, url }) => (
          <option key={id} value={id}>
            {url}
          </option>
        ))}
      </FilterField>
      <FilterField name="porting_order_id" label="Order" placeholder="Its id" />
    </Filters>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: "Event",
    cell: ({ id, event_type }) => <Link href={`/deliveries/${id}`}>{event_type}</Link>,
  },
  {
    title: "Status",
    cell: ({ status }) => {
      const [text, tone] = deliveryWords(status);
      return <Badge tone={tone}>{text}</Badge>;
    },
  },
  { title: "Last answer", cell: lastOutcome },
  { title: "Attempts", cell: ({ attempt_count: count }) => count, align: "right", isMinor: true },
  {
    title: "To",
    cell: ({ url }) => <span className={styles["url"]}>{url}</span>,
    isMinor: true,
  },
  { title: "Created", cell: ({ created_at }) => <Time at={created_at} /> },
];
