import { Link } from "wouter";
import { Table, type Column } from "../../ui/table.tsx";
import styles from "./carriers.module.css";
import { LastWord, Rejections } from "./provider-table.tsx";
import type { Carrier } from "./queries.ts";

const FEW = 4;

const COLUMNS: readonly Column<Carrier>[] = [
  { title: "Carrier", cell: ({ name }) => <strong>{name}</strong> },
  { title: "Provider", cell: ({ provider }) => provider ?? "The default" },
  {
    title: "Numbers that begin with",
    isMinor: true,
    cell: ({ prefixes }) =>
      prefixes.length === 0 ? (
        <span className={styles["muted"]}>By name only</span>
      ) : (
        <span title={prefixes.join(", ")}>
          {prefixes.slice(0, FEW).join(", ")}
          {prefixes.length > FEW && ` and ${prefixes.length - FEW} more`}
        </span>
      ),
  },
  { title: "Last status update", cell: LastWord },
  {
    title: "Open orders",
    align: "right",
    cell: ({ name, open_orders: count }) => (
      <Link href={`/orders?status=open&carrier=${encodeURIComponent(name)}`}>{count}</Link>
    ),
  },
  { title: "Rejections, 90 days", isMinor: true, cell: Rejections },
];

/** The losing carriers of the directory. */
export function CarrierTable({ carriers }: { readonly carriers: readonly Carrier[] }) {
  return <Table caption="Directory" columns={COLUMNS} rows={carriers} keyOf={({ name }) => name} />;
}
