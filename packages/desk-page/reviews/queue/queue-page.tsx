import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ROW_LINK, rowLinks } from "../../../ui/keys.ts";
import { withQuery } from "../../../ui/http/request.ts";
import { ExportLinks, Table, useUrlFilters, type Column } from "../../../ui/list.tsx";
import { Page } from "../../../ui/page.tsx";
import { DataView, Empty, Skeleton } from "../../../ui/states.tsx";
import { DueClock, Time } from "../../../ui/time.tsx";
import { useKeyActions } from "../../keys.ts";
import { useMay, useOperator } from "../../session.ts";
import { useSending } from "../case/sending.ts";
import { SavedViews } from "../../views/saved-views.tsx";
import {
  aheadQuery,
  fieldWords,
  orderTitle,
  PATH,
  queueQuery,
  VIEWS,
  wordsOf,
  type Queue,
  type View,
} from "../reviews.ts";
import {
  filtersOf,
  isFiltered,
  LONGEST_WAITING,
  queryOf,
  searchWith,
  type QueueFilters as Filters,
} from "./filters.ts";
import { useBulkCases } from "./bulk-cases.tsx";
import { useNextCase, useOpenCase } from "./next-case.ts";
import { QueueFilters } from "./queue-filters.tsx";
import styles from "./queue.module.css";
import { useSteadyRows, type SteadyRow } from "./steady-rows.ts";

/** Rests this long on a row before its case is fetched, so that a held key fetches nothing. */
const REST_MS = 150;

/** Fetches the cases that are likely to be opened next, masked, and the case page's code. */
function usePrefetchedCases(rows: readonly (SteadyRow | undefined)[]): void {
  const client = useQueryClient();
  const ids = rows.flatMap((row) => (row === undefined || row.isGone ? [] : [row.order_id]));
  const key = ids.join(" ");
  useEffect(() => {
    if (key === "") return;
    const timer = setTimeout(() => {
      // What fails here is asked for again, and reported, when the case is opened.
      import("../case/case-page.tsx").catch(() => undefined);
      for (const id of key.split(" ")) client.query(aheadQuery(id)).catch(() => undefined);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [client, key]);
}

interface QueueTableProps {
  readonly rows: readonly SteadyRow[];
  readonly currentId: string | null;
  readonly pathOf: (row: SteadyRow) => string;
  readonly onOpen: (row: SteadyRow) => void;
  readonly selecting: ReturnType<typeof useBulkCases>["selecting"];
}

function QueueTable({ rows, currentId, pathOf, onOpen, selecting }: QueueTableProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    frame.current?.querySelector("tr[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [currentId]);
  const { sorting } = useUrlFilters([], LONGEST_WAITING);
  const columns: readonly Column<SteadyRow>[] = [
    {
      title: "Due",
      sort: "due_at",
      cell: (row) => (
        <>
          <DueClock at={row.due_at} />
          <span className="under">
            sent <Time at={row.submitted_at} form="past" />
          </span>
        </>
      ),
    },
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
          {row.has_duplicate && <Badge tone="bad">Duplicate</Badge>}
          {row.unanswered_comment_at !== null && <Badge tone="warning">Unanswered comment</Badge>}
        </>
      ),
      copies: ["the order’s id", (row) => row.order_id],
    },
    {
      title: "Type",
      isMinor: true,
      cell: (row) => (
        <span className="nowrap">
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
        sorting={sorting}
        selecting={selecting}
      />
    </div>
  );
}

const MOST_NAMED = 3;

function Changed({ slugs }: { readonly slugs: readonly string[] }) {
  if (slugs.length === 0) return <span className="muted">–</span>;
  const more = slugs.length - MOST_NAMED;
  const named = slugs.slice(0, MOST_NAMED).map(fieldWords).join(", ");
  return (
    <span title={slugs.map(fieldWords).join(", ")}>{more > 0 ? `${named} +${more}` : named}</span>
  );
}

function Claimer({ row }: { readonly row: SteadyRow }) {
  const { id } = useOperator();
  if (row.isGone) return <Badge tone="neutral">No longer in this list</Badge>;
  if (row.claimed_by === null) return <span className="muted">–</span>;
  return row.claimed_by.id === id ? <Badge tone="info">You</Badge> : row.claimed_by.name;
}

const VIEW_NAMES: Readonly<Record<View, string>> = {
  mine: "Mine",
  unclaimed: "Unclaimed",
  overdue: "Overdue",
  all: "All",
};

/** The queue of review cases, longest waiting first. */
export default function QueuePage() {
  const [search, setSearch] = useSearchParams();
  const filters = filtersOf(search);
  const query = useQuery(queueQuery(queryOf(filters)));
  const list = useSteadyRows({
    list: JSON.stringify(queryOf(filters)),
    queue: query.isPlaceholderData ? undefined : query.data,
  });
  const whole = { ...queryOf(filters), limit: undefined, starting_after: undefined };
  const fileAt = (format: string) => withQuery(`${PATH}/export`, { ...whole, format });
  const next = useNextCase(filters, search);
  const sending = useSending();
  useKeyActions({ undo: sending.undo });
  const change = (changes: Partial<Filters>): void =>
    setSearch((before) => searchWith(before, changes));
  return (
    <Page
      title="Reviews"
      actions={
        useMay("reviewer") && (
          <Button kind="primary" onClick={() => next.open(sending.ids)} isBusy={next.isBusy}>
            Next case
          </Button>
        )
      }
    >
      <Tabs search={search} filters={filters} counts={query.data?.counts} />
      <div className={styles["bar"]}>
        <QueueFilters filters={filters} onChange={change} />
        <SavedViews screen="reviews" />
      </div>
      <DataView query={query}>
        {({ data: cases, has_more: hasMore }) => (
          <>
            <Changes {...list} />
            {list.rows.length > 0 ? (
              <Rows rows={list.rows} search={search} fileAt={fileAt} />
            ) : (
              <NoRows filters={filters} isAwaited={query.isPlaceholderData} />
            )}
            {hasMore && (
              <Link
                className={styles["more"]}
                href={`/reviews?${searchWith(search, { after: cases.at(-1)?.order_id ?? "" }).toString()}`}
              >
                Next {cases.length}
              </Link>
            )}
          </>
        )}
      </DataView>
    </Page>
  );
}

interface RowsProps {
  readonly rows: readonly SteadyRow[];
  readonly search: URLSearchParams;
  readonly fileAt: (format: string) => string;
}

function Rows({ rows, search, fileAt }: RowsProps) {
  const [currentId, setCurrentId] = useState<string | null>(null);
  const open = useOpenCase(search);
  const found = rows.findIndex(({ order_id: id }) => id === currentId);
  const at = Math.max(found, 0);
  const current = rows[at];
  const move = (by: number): void => {
    const to = Math.min(Math.max(at + by, 0), rows.length - 1);
    setCurrentId(rows[to]?.order_id ?? null);
    // Enter opens this row, and not the tab or the button that was clicked before.
    rowLinks()[to]?.focus();
  };
  usePrefetchedCases([current, rows[at + 1]]);
  useKeyActions({
    down: () => move(1),
    up: () => move(-1),
    open: current === undefined ? undefined : () => open.claimed(current),
  });
  const { selecting, bar } = useBulkCases(rows);
  return (
    <>
      <div className={styles["above"]}>
        {bar}
        <ExportLinks fileAt={fileAt} />
      </div>
      <QueueTable
        rows={rows}
        currentId={current?.order_id ?? null}
        pathOf={(row) => open.pathOf(row.order_id)}
        onOpen={open.claimed}
        selecting={selecting}
      />
    </>
  );
}

interface TabsProps {
  readonly search: URLSearchParams;
  readonly filters: Filters;
  readonly counts: Queue["counts"] | undefined;
}

function Tabs({ search, filters, counts }: TabsProps) {
  return (
    <nav className={styles["tabs"]} aria-label="Views">
      {VIEWS.map((view) => (
        <Link
          key={view}
          href={`/reviews?${searchWith(search, { view }).toString()}`}
          aria-current={view === filters.view ? "page" : undefined}
        >
          {VIEW_NAMES[view]}
          {counts !== undefined && (
            <span className={styles["count"]}>{counts[view].toLocaleString()}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}

interface ChangesProps {
  readonly newCount: number;
  readonly goneCount: number;
  readonly refresh: () => void;
}

/** What has changed since the rows were shown; they stay where they are until they are asked to follow. */
function Changes({ newCount, goneCount, refresh }: ChangesProps) {
  const parts = [
    ...(newCount > 0 ? [`${newCount} new`] : []),
    ...(goneCount > 0 ? [`${goneCount} gone`] : []),
  ];
  return (
    <div role="status" className={styles["news"]}>
      {parts.length > 0 && (
        <button type="button" className={styles["changes"]} onClick={refresh}>
          {parts.join(", ")} – show
        </button>
      )}
    </div>
  );
}

const WHY_EMPTY: Readonly<Record<View, string>> = {
  mine: "You hold no claim. Open one of the unclaimed, or take the next of them.",
  unclaimed: "Each open case is claimed by somebody. New ones appear here as they are submitted.",
  overdue: "Every open case is still within its time.",
  all: "No order waits for the desk. New ones appear here as they are submitted.",
};

interface NoRowsProps {
  readonly filters: Filters;
  /** The list before had no rows; whether this one has is not known yet. */
  readonly isAwaited: boolean;
}

function NoRows({ filters, isAwaited }: NoRowsProps) {
  if (isAwaited) return <Skeleton />;
  if (isFiltered(filters)) {
    return <Empty title="No case matches">Change the filters, or clear them.</Empty>;
  }
  return <Empty title="No cases here">{WHY_EMPTY[filters.view]}</Empty>;
}
