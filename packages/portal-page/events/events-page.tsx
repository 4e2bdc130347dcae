import { Link } from "wouter";
import { useList } from "../../ui/http/read.ts";
import { withQuery } from "../../ui/http/request.ts";
import {
  ChoiceFilter,
  Filters,
  ListView,
  TextFilter,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { EventName } from "../../ui/webhooks/event-name.tsx";
import { TYPE_OPTIONS } from "../../ui/webhooks/event-types.ts";
import { withInstants } from "../../ui/webhooks/webhook-side.ts";
import { EVENTS_PATH, gistOf, type Event } from "./events.ts";

const FILTERS = [
  "type",
  "porting_order_id",
  "phone_number",
  "created_after",
  "created_before",
] as const;

/** What happened to the account's orders, numbers, calls and port-outs. */
export default function EventsPage() {
  const url = useUrlFilters(FILTERS);
  const { of } = url;
  const asked = { limit: 25, ...withInstants(url.filters), ...url.page };
  const query = useList<Event>("events", withQuery(EVENTS_PATH, asked));
  return (
    <Page title="Events">
      <Filters label="Filter events" url={url}>
        <ChoiceFilter label="Event" any="Any" options={TYPE_OPTIONS} {...of("type")} />
        <WholeFilter
          label="Number of the order"
          type="tel"
          placeholder="+12125550123"
          {...of("phone_number")}
        />
        <WholeFilter label="Order id" {...of("porting_order_id")} />
        <TextFilter label="From" type="date" {...of("created_after")} />
        <TextFilter label="Before" type="date" {...of("created_before")} />
      </Filters>
      <ListView
        query={query}
        sorting={url.sorting}
        caption="Events"
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No events here">
            An event tells of each change. If you filter, another filter may show some.
          </Empty>
        }
      />
    </Page>
  );
}

const COLUMNS: readonly Column<Event>[] = [
  {
    title: "Event",
    cell: ({ id, type }) => (
      <Link href={`/events/${id}`}>
        <EventName type={type} />
      </Link>
    ),
    copies: ["the event’s id", ({ id }) => id],
  },
  { title: "About", cell: gistOf },
  {
    title: "Order",
    cell: ({ order_id: id }) => (id === null ? "–" : <Link href={`/orders/${id}`}>Open</Link>),
    copies: ["the order’s id", ({ order_id: id }) => id],
  },
  { title: "When", sort: "created_at", cell: ({ created_at: at }) => <Time at={at} /> },
];
