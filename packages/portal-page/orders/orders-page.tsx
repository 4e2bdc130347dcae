import { Link, useLocation } from "wouter";
import { COUNTRY_CODES } from "../../../services/domain/countries/country-code.ts";
import { ORDER_STATUSES } from "../../../services/domain/order/rules/order.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import {
  ChoiceFilter,
  FilterChip,
  Filters,
  ListView,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { soughtNumber } from "../order-form/given-values.ts";
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

const FILTERS = ["view", "number", "reference", "country", "carrier", "batch"] as const;
const SHOWN_MISSING = 3;

export default function OrdersPage() {
  const url = useUrlFilters(FILTERS);
  const { of, change, page, sorting } = url;
  const { view, number, reference, country, carrier, batch } = url.filters;
  const [, navigate] = useLocation();
  const query = useOrders({
    status: view === "" ? [] : ORDER_STATUSES.filter((status) => viewOf(status) === view),
    phone_number: soughtNumber(number),
    customer_reference: reference,
    country_code: country,
    losing_carrier: carrier,
    batch_id: batch,
    ...page,
  });
  return (
    <Page
      title="Orders"
      actions={
        <Button kind="primary" onClick={() => navigate("/orders/new")}>
          New order
        </Button>
      }
    >
      <Filters label="Filter orders" url={url}>
        <ChoiceFilter
          label="Show"
          any="All orders"
          options={Object.entries(VIEWS)}
          {...of("view")}
        />
        <WholeFilter label="Number" placeholder="+12125550123" {...of("number")} />
        <WholeFilter label="Your reference" {...of("reference")} />
        <ChoiceFilter
          label="Country"
          any="Any"
          options={COUNTRY_CODES.map((code) => [code, code])}
          {...of("country")}
        />
        <WholeFilter label="Losing carrier" {...of("carrier")} />
        {batch !== "" && (
          <FilterChip
            label="Of one request: show all orders"
            onRemove={() => change({ batch: "" })}
          >
            Of one request
          </FilterChip>
        )}
      </Filters>
      <ListView
        query={query}
        caption="Orders"
        sorting={sorting}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No orders here">
            Create one with New order, or by the API. If you filter, another filter may show some.
          </Empty>
        }
      />
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
    cell: (order) => <span className="nowrap">{kindOf(order)}</span>,
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
    title: "Created",
    sort: "created_at",
    cell: ({ created_at: created, updated_at: changed }) => (
      <>
        <Time at={created} />
        <span className="under">
          changed <Time at={changed} form="past" />
        </span>
      </>
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
