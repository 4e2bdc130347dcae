import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import {
  ChoiceFilter,
  Filters,
  Paging,
  Table,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
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
              <Paging last={data.at(-1)?.id} hasMore={hasMore} />
            </>
          )
        }
      </DataView>
    </Page>
  );
}

function DeliveryFilters({ url }: { readonly url: UrlFilters }) {
  const types = useEventTypes().data?.data ?? [];
  const endpoints = useEndpoints().data?.data ?? [];
  const { filters, change, clear, isFiltered } = url;
  const choices = [
    ["status", "Status", Object.entries(DELIVERY_WORDS).map(([status, [text]]) => [status, text])],
    ["event_type", "Event", types.map((type) => [type, type])],
    ["webhook_endpoint_id", "Endpoint", endpoints.map((endpoint) => [endpoint.id, endpoint.url])],
  ] as const;
  return (
    <Filters label="Filter deliveries" isFiltered={isFiltered} onClear={clear}>
      {choices.map(([name, label, options]) => (
        <ChoiceFilter
          key={name}
          label={label}
          value={filters[name]}
          onChange={(next) => change({ [name]: next })}
        >
          <option value="">Any</option>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </ChoiceFilter>
      ))}
      <WholeFilter
        label="Order"
        placeholder="Its id"
        value={filters.porting_order_id}
        onCommit={(next) => change({ porting_order_id: next })}
      />
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
      <span className={styles["line"]}>
        <Time at={created_at} />
      </span>
    ),
    isMinor: true,
  },
];
