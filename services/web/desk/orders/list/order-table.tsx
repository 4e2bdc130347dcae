import { Link } from "wouter";
import { Badge } from "../../../ui/badge.tsx";
import { ROW_LINK } from "../../../ui/keys/use-row-keys.ts";
import { Table, type Column } from "../../../ui/table.tsx";
import { Time } from "../../../ui/time.tsx";
import { nextStepOf } from "../next-step.ts";
import { ATTENTION_WORDS, STATUS_WORDS, typeName } from "../order-words.ts";
import type { OrderSummary } from "../queries.ts";
import styles from "./order-table.module.css";

const COLUMNS: readonly Column<OrderSummary>[] = [
  { title: "Numbers", cell: (order) => <Numbers order={order} /> },
  { title: "Status", cell: (order) => <Status order={order} /> },
  { title: "Next", cell: (order) => <Next order={order} /> },
  {
    title: "Account",
    isMinor: true,
    cell: ({ account, customer_reference: reference }) => (
      <>
        <Link href={`/accounts/${account.id}`}>{account.name}</Link>
        {reference !== "" && (
          <span className={`${styles["under"]} ${styles["reference"]}`} title={reference}>
            {reference}
          </span>
        )}
      </>
    ),
  },
  {
    title: "From carrier",
    isMinor: true,
    cell: ({ losing_carrier: carrier, provider }) => (
      <>
        {carrier ?? "Not known"}
        <span className={styles["under"]}>by {provider}</span>
      </>
    ),
  },
  {
    title: "FOC date",
    isMinor: true,
    cell: ({ foc_actual: foc }) => (
      <span className={styles["time"]}>
        <Time at={foc} />
      </span>
    ),
  },
  {
    title: "Changed",
    isMinor: true,
    align: "right",
    cell: ({ updated_at: at }) => (
      <span className={styles["time"]}>
        <Time at={at} form="past" />
      </span>
    ),
  },
];

export function OrderTable({ orders }: { readonly orders: readonly OrderSummary[] }) {
  return <Table caption="Orders" columns={COLUMNS} rows={orders} keyOf={({ id }) => id} />;
}

function Numbers({ order }: { readonly order: OrderSummary }) {
  const { id, first_number: first, numbers_count: count, country_code, number_type } = order;
  return (
    <>
      <Link {...ROW_LINK} href={`/orders/${id}`} className={styles["number"] ?? ""}>
        {first}
      </Link>
      <span className={styles["under"]}>
        {country_code} {typeName(number_type)}
        {count > 1 && ` · ${count} numbers`}
      </span>
    </>
  );
}

function Status({ order: { status, attention, provider_status: word } }: RowProps) {
  const { name, tone } = STATUS_WORDS[status];
  return (
    <span className={styles["status"]}>
      <Badge tone={tone}>{name}</Badge>
      {attention !== null && (
        <span title={attention.reason}>
          <Badge tone="warning">{ATTENTION_WORDS[attention.kind]}</Badge>
        </span>
      )}
      {word !== "" && <span className={styles["word"]}>“{word}”</span>}
    </span>
  );
}

interface RowProps {
  readonly order: OrderSummary;
}

/** `The customer` → `Customer`. */
function shortOf(who: string): string {
  const name = who.replace(/^The /, "");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function Next({ order }: RowProps) {
  const { who, what, by } = nextStepOf(order);
  if (order.next_action.actor === "none") return <span className={styles["under"]}>Ended</span>;
  return (
    <div className={styles["next"]}>
      <strong>{shortOf(who)}</strong> {what}
      {by !== null && (
        <span className={styles["under"]}>
          {by} <Time at={order.next_action.due_at} form="relative" />
        </span>
      )}
    </div>
  );
}
