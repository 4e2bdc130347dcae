import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { hoursText } from "./calls.ts";
import styles from "./carriers.module.css";
import type { Carrier, Provider } from "./queries.ts";

interface ProviderTableProps {
  readonly providers: readonly Provider[];
  readonly onShow: (name: string) => void;
}

export function ProviderTable({ providers, onShow }: ProviderTableProps) {
  const columns: readonly Column<Provider>[] = [
    {
      title: "Provider",
      cell: ({ name, title }) => (
        <>
          <button type="button" className={styles["open"]} onClick={() => onShow(name)}>
            {name}
          </button>
          <span className={styles["under"]}>{title}</span>
        </>
      ),
    },
    {
      title: "Hours",
      cell: ({ business_hours: hours, open_now: isOpen }) => (
        <>
          <Badge tone={isOpen ? "good" : "neutral"}>{isOpen ? "Open now" : "Closed"}</Badge>
          <span className={styles["under"]}>{hoursText(hours)}</span>
        </>
      ),
    },
    { title: "Last status update", cell: LastWord },
    {
      title: "Open orders",
      align: "right",
      cell: ({ name, open_orders: count }) => (
        <Link href={`/orders?status=open&provider=${encodeURIComponent(name)}`}>{count}</Link>
      ),
    },
    {
      title: "To call",
      align: "right",
      cell: ({ orders_to_call_count: count }) => count,
    },
    { title: "Rejections, 90 days", isMinor: true, cell: Rejections },
  ];
  return (
    <Table caption="Providers" columns={columns} rows={providers} keyOf={({ name }) => name} />
  );
}

type Figures = Pick<Carrier, "last_word" | "rejections">;

export function LastWord({ last_word: last }: Figures) {
  if (last === null) return <span className={styles["muted"]}>None yet</span>;
  const { at, porting_order_id: order } = last;
  const time = <Time at={at} form="past" />;
  return (
    <span className={styles["time"]}>
      {order === null ? time : <Link href={`/orders/${order}`}>{time}</Link>}
    </span>
  );
}

const MOST = 3;

export function Rejections({ rejections }: Figures) {
  if (rejections.length === 0) return <span className={styles["muted"]}>None</span>;
  const rest = rejections.length - MOST;
  return (
    <span className={styles["codes"]}>
      {rejections.slice(0, MOST).map(({ code, count }) => (
        <span key={code}>
          {code ?? "without a code"} <strong>{count}</strong>
        </span>
      ))}
      {rest > 0 && <span className={styles["muted"]}>and {rest} more</span>}
    </span>
  );
}
