import { Link } from "wouter";
import { ORDER_STATUSES } from "../../../domain/order/rules/order.ts";
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
import {
  failedOf,
  kindOf,
  missingOf,
  nextWords,
  statusWords,
  viewOf,
  type ListedOrder,
  type Requirement,
  type View,
} from "./order-words.ts";
import styles from "./orders.module.css";
import { useOrders } from "./orders.ts";

const VIEWS: Readonly<Record<View, string>> = {
  yours: "Waiting for you",
  open: "Under way",
  done: "Completed",
  cancelled: "Cancelled",
};

const FILTERS = ["view", "number", "reference"] as const;
const SHOWN_MISSING = 3;

export default function OrdersPage() {
  const { filters, change, clear, isFiltered, after } = useUrlFilters(FILTERS);
  const { view, number, reference } = filters;
  const query = useOrders({
    status: view === "" ? [] : ORDER_STATUSES.filter((status) => viewOf(status) === view),
    phone_number: number,
    customer_reference: reference,
    starting_after: after,
  });
  return (
    <Page title="Orders">
      <Filters label="Filter orders" isFiltered={isFiltered} onClear={clear}>
        <ChoiceFilter label="Show" value={view} onChange={(next) => change({ view: next })}>
          <option value="">All orders</option>
          {Object.entries(VIEWS).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </ChoiceFilter>
        <WholeFilter
          label="Number"
          placeholder="+12125550123"
          value={number}
          onCommit={(next) => change({ number: next })}
        />
        <WholeFilter
          label="Your reference"
          value={reference}
          onCommit={(next) => change({ reference: next })}
        />
      </Filters>
      <DataView query={query}>
        {({ data, has_more: hasMore }) =>
          data.length === 0 ? (
            <Empty title="No orders here">
              Orders are made by the API. If you filter, another filter may show some.
            </Empty>
          ) : (
            <>
              <Table caption="Orders" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
              <Paging last={data.at(-1)?.id} hasMore={hasMore} />
            </>
          )
        }
      </DataView>
    </Page>
  );
}

const COLUMNS: readonly Column<ListedOrder>[] = [
  {
    title: "Numbers",
    cell: (order) => (
      <>
        <Link href={`/orders/${order.id}`} className={styles["number"]}>
          {order.phone_numbers[0]}
          {order.numbers_count > 1 && ` and ${order.numbers_count - 1} more`}
        </Link>
        <span className={styles["below"]}>
          <Next order={order} />
        </span>
      </>
    ),
  },
  {
    title: "Kind",
    cell: (order) => <span className={styles["line"]}>{kindOf(order)}</span>,
    isMinor: true,
  },
  { title: "Reference", cell: (order) => order.customer_reference || "–", isMinor: true },
  {
    title: "Status",
    cell: ({ status }) => {
      const [text, tone] = statusWords(status);
      return <Badge tone={tone}>{text}</Badge>;
    },
  },
  { title: "Missing or next", cell: (order) => <Next order={order} />, isMinor: true },
  {
    title: "Changed",
    cell: ({ updated_at }) => (
      <span className={styles["line"]}>
        <Time at={updated_at} form="past" />
      </span>
    ),
    isMinor: true,
  },
];

/** What is missing or was not accepted by name, while the customer can give it; else what waits on whom. */
function Next({ order }: { readonly order: ListedOrder }) {
  const missing = missingOf(order);
  const failed = failedOf(order);
  const isTheirs = order.next_action.actor === "customer";
  if (!isTheirs || missing.length + failed.length === 0) return nextWords(order);
  return (
    <>
      {failed.length > 0 && `Not accepted: ${namesOf(failed)}`}
      {failed.length > 0 && missing.length > 0 && <br />}
      {missing.length > 0 && `Missing: ${namesOf(missing)}`}
    </>
  );
}

function namesOf(requirements: readonly Requirement[]): string {
  const names = requirements.slice(0, SHOWN_MISSING).map(({ name }) => name);
  const more = requirements.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
