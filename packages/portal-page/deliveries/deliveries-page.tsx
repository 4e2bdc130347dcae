import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import {
  ChoiceFilter,
  Filters,
  ListView,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useEndpoints } from "../endpoints/endpoints.ts";
import styles from "./deliveries.module.css";
import {
  DELIVERY_WORDS,
  deliveryWords,
  lastOutcome,
  useDeliveries,
  useEventTypes,
  type Delivery,
} from "./deliveries.ts";

const FILTERS = ["status", "event_type", "webhook_endpoint_id", "porting_order_id"] as const;

type UrlFilters = ReturnType<typeof useUrlFilters<(typeof FILTERS)[number]>>;

export default function DeliveriesPage() {
  const url = useUrlFilters(FILTERS);
  const query = useDeliveries({ ...url.filters, starting_after: url.after });
  return (
    <Page title="Deliveries">
      <DeliveryFilters url={url} />
      <ListView
        query={query}
        caption="Deliveries"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No deliveries here">
            A delivery is made when something happens and an endpoint wants to know. If you filter,
            another filter may show some.
          </Empty>
        }
      />
    </Page>
  );
}

function DeliveryFilters({ url }: { readonly url: UrlFilters }) {
  const types = useEventTypes().data?.data ?? [];
  const endpoints = useEndpoints().data?.data ?? [];
  const choices = [
    [
      "status",
      "Status",
      Object.entries(DELIVERY_WORDS).map(([status, [text]]) => [status, text] as const),
    ],
    ["event_type", "Event", types.map((type) => [type, type] as const)],
    [
      "webhook_endpoint_id",
      "Endpoint",
      endpoints.map((endpoint) => [endpoint.id, endpoint.url] as const),
    ],
  ] as const;
  return (
    <Filters label="Filter deliveries" url={url}>
      {choices.map(([name, label, options]) => (
        <ChoiceFilter key={name} label={label} any="Any" options={options} {...url.of(name)} />
      ))}
      <WholeFilter label="Order" placeholder="Its id" {...url.of("porting_order_id")} />
    </Filters>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  {
    title: "Event",
    cell: ({ id, event_type, created_at }) => (
      <>
        <Link href={`/deliveries/${id}`}>{event_type}</Link>
        <span className={styles["below"]}>
          <Time at={created_at} />
        </span>
      </>
    ),
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
  {
    title: "Created",
    cell: ({ created_at }) => (
      <span className="nowrap">
        <Time at={created_at} />
      </span>
    ),
    isMinor: true,
  },
];
