import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { Button } from "../../../ui/button.tsx";
import { DataView } from "../../../ui/data-view.tsx";
import { rowLinks } from "../../../ui/keys/use-row-keys.ts";
import { Page } from "../../../ui/page.tsx";
import { Empty, Skeleton } from "../../../ui/states.tsx";
import { useKeyActions } from "../../keys/key-table.ts";
import { useMay } from "../../session/session.ts";
import { queueQuery } from "../queries.ts";
import { VIEWS, type Queue, type View } from "../types.ts";
import {
  filtersOf,
  isFiltered,
  queryOf,
  searchWith,
  type QueueFilters as Filters,
} from "./filters.ts";
import { QueueFilters } from "./queue-filters.tsx";
import { QueueTable } from "./queue-table.tsx";
import styles from "./queue.module.css";
import { SavedViews } from "./saved-views.tsx";
import type { SteadyRow } from "./steady-rows.ts";
import { useNextCase } from "./use-next-case.ts";
import { useOpenCase } from "./use-open-case.ts";
import { usePrefetchedCases } from "./use-prefetched-cases.ts";
import { useSteadyRows } from "./use-steady-rows.ts";

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
  const next = useNextCase(filters, search);
  const change = (changes: Partial<Filters>): void =>
    setSearch((before) => searchWith(before, changes));
  return (
    <Page
      title="Reviews"
      actions={
        useMay("reviewer") && (
          <Button kind="primary" onClick={next.open} isBusy={next.isBusy}>
            Next case
          </Button>
        )
      }
    >
      <Tabs search={search} filters={filters} counts={query.data?.counts} />
      <div className={styles["bar"]}>
        <QueueFilters filters={filters} onChange={change} />
        <SavedViews search={searchWith(search, {}).toString()} />
      </div>
      <DataView query={query}>
        {({ data: cases, has_more: hasMore }) => (
          <>
            <Changes {...list} />
            {list.rows.length > 0 ? (
              <Rows rows={list.rows} search={search} />
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

function Rows({
  rows,
  search,
}: {
  readonly rows: readonly SteadyRow[];
  readonly search: URLSearchParams;
}) {
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
  return (
    <QueueTable
      rows={rows}
      currentId={current?.order_id ?? null}
      pathOf={(row) => open.pathOf(row.order_id)}
      onOpen={open.claimed}
    />
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
  mine: "You hold no claim. Take the next case, or open one of the unclaimed.",
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
