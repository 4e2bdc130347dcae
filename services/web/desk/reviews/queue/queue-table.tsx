import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { Badge } from "../../../ui/badge.tsx";
import { ROW_LINK } from "../../../ui/keys/use-row-keys.ts";
import { Table, type Column } from "../../../ui/table.tsx";
import { useOperator } from "../../session/session.ts";
import { fieldWords, orderTitle, wordsOf } from "../labels.ts";
import { DueClock } from "./due-clock.tsx";
import styles from "./queue.module.css";
import type { SteadyRow } from "./steady-rows.ts";

interface QueueTableProps {
  readonly rows: readonly SteadyRow[];
  readonly currentId: string | null;
  readonly pathOf: (row: SteadyRow) => string;
  readonly onOpen: (row: SteadyRow) => void;
}

export function QueueTable({ rows, currentId, pathOf, onOpen }: QueueTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    frame.current?.querySelector("tr[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [currentId]);
  const columns: readonly Column<SteadyRow>[] = [
    { title: "Due", cell: (row) => <DueClock at={row.due_at} /> },
    {
      title: "Account",
      cell: (row) => (
        <>
          <Link
            {...ROW_LINK}
            href={pathOf(row)}
            className={styles["case"]}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              onOpen(row);
            }}
          >
            <strong>{row.account.name}</strong>
            <span>{orderTitle(row.order_id, row.customer_reference)}</span>
          </Link>
          {row.unanswered_comment_at !== null && <Badge tone="warning">Unanswered comment</Badge>}
        </>
      ),
    },
    {
      title: "Type",
      cell: (row) => (
        <span className={styles["type"]}>
          {row.country_code} {wordsOf(row.number_type)}
        </span>
      ),
    },
    { title: "Losing carrier", cell: (row) => row.losing_carrier ?? "–", isMinor: true },
    { title: "Numbers", cell: (row) => row.numbers_count, align: "right", isMinor: true },
    { title: "Attempt", cell: (row) => row.attempt, align: "right", isMinor: true },
    { title: "Changed", cell: (row) => <Changed slugs={row.changed_slugs} />, isMinor: true },
    { title: "Claimed by", cell: (row) => <Claimer row={row} /> },
  ];
  return (
    <div ref={frame}>
      <Table
        caption="Review cases"
        columns={columns}
        rows={rows}
        keyOf={(row) => row.order_id}
        currentKey={currentId}
      />
    </div>
  );
}

const MOST_NAMED = 3;

function Changed({ slugs }: { readonly slugs: readonly string[] }) {
  if (slugs.length === 0) return <span className={styles["none"]}>–</span>;
  const more = slugs.length - MOST_NAMED;
  const named = slugs.slice(0, MOST_NAMED).map(fieldWords).join(", ");
  return (
    <span title={slugs.map(fieldWords).join(", ")}>{more > 0 ? `${named} +${more}` : named}</span>
  );
}

function Claimer({ row }: { readonly row: SteadyRow }) {
  const { id } = useOperator();
  if (row.isGone) return <Badge tone="neutral">No longer in this list</Badge>;
  if (row.claimed_by === null) return <span className={styles["none"]}>–</span>;
  return row.claimed_by.id === id ? <Badge tone="info">You</Badge> : row.claimed_by.name;
}
