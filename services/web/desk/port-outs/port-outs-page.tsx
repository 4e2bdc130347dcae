import { useState } from "react";
import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { ChoiceFilter, Filters, WholeFilter } from "../../ui/filters.tsx";
import { Page } from "../../ui/page.tsx";
import { Paging } from "../../ui/paging.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table, type Column } from "../../ui/table.tsx";
import { Time, useNow } from "../../ui/time.tsx";
import { useUrlFilters } from "../../ui/use-url-filters.ts";
import { AccountChip } from "../orders/list/account-chip.tsx";
import { useMay } from "../session/session.ts";
import { DecisionDialog, type DecisionKind } from "./decision-dialog.tsx";
import { DECIDED_BY, PORT_OUT_WORDS, REJECT_CODE_NAMES } from "./port-out-words.ts";
import styles from "./port-outs.module.css";
import { usePortOuts, type PortOut } from "./queries.ts";

interface Asked {
  readonly portOut: PortOut;
  readonly kind: DecisionKind;
}

/** What other carriers ask for, the most urgent first. */
export default function PortOutsPage() {
  const { filters, change, clear, isFiltered, after } = useUrlFilters([
    "status",
    "number",
    "account",
  ]);
  const [asked, setAsked] = useState<Asked | null>(null);
  // A number is looked for whatever became of it.
  const isUrgent = filters.status === "" && filters.number === "";
  const query = usePortOuts({
    status: filters.status === "any" ? "" : filters.status,
    phone_number: filters.number,
    account_id: filters.account,
    order_by: isUrgent ? "deadline" : null,
    starting_after: after,
  });
  return (
    <Page title="Port-outs">
      <Filters label="Filter the port-outs" isFiltered={isFiltered} onClear={clear}>
        <ChoiceFilter
          label="Status"
          value={isUrgent ? "" : filters.status || "any"}
          onChange={(status) => change(status === "" ? { status, number: "" } : { status })}
        >
          <option value="">To decide, by deadline</option>
          <option value="any">Any status, newest first</option>
          {Object.entries(PORT_OUT_WORDS).map(([status, { name }]) => (
            <option key={status} value={status}>
              {name}
            </option>
          ))}
        </ChoiceFilter>
        <WholeFilter
          label="Number"
          type="tel"
          placeholder="+12125550123"
          value={filters.number}
          onCommit={(number) => change({ number })}
        />
        <AccountChip account={filters.account} onRemove={() => change({ account: "" })} />
      </Filters>
      <DataView query={query}>
        {({ data, has_more: hasMore }) =>
          data.length === 0 ? (
            <NoPortOuts isUrgent={!isFiltered} />
          ) : (
            <>
              <PortOutTable portOuts={data} onDecide={setAsked} />
              <Paging last={data.at(-1)?.id} hasMore={hasMore} />
            </>
          )
        }
      </DataView>
      {asked !== null && <DecisionDialog {...asked} onClose={() => setAsked(null)} />}
    </Page>
  );
}

function NoPortOuts({ isUrgent }: { readonly isUrgent: boolean }) {
  return isUrgent ? (
    <Empty title="No port-out awaits a decision">
      Another carrier’s request appears here once it has passed its checks. Without a decision it
      goes ahead at its deadline.
    </Empty>
  ) : (
    <Empty title="No port-out matches these filters">Choose another status or number.</Empty>
  );
}

interface PortOutTableProps {
  readonly portOuts: readonly PortOut[];
  readonly onDecide: (asked: Asked) => void;
}

function PortOutTable({ portOuts, onDecide }: PortOutTableProps) {
  const isLead = useMay("lead");
  const columns: readonly Column<PortOut>[] = [
    {
      title: "Deadline",
      cell: ({ decision_deadline: at }) => (at === null ? "–" : <Deadline at={at} />),
    },
    { title: "Numbers", cell: (one) => <Numbers portOut={one} /> },
    { title: "To", cell: ({ gaining_carrier: carrier }) => carrier, isMinor: true },
    {
      title: "Account",
      isMinor: true,
      cell: ({ account }) => <Account account={account} />,
    },
    {
      title: "Wanted for",
      cell: ({ requested_foc: at }) => <Time at={at} form="zoned" />,
      isMinor: true,
    },
    {
      title: "Status",
      cell: (one) => (
        <>
          <Status portOut={one} />
          {isLead && one.status === "decision_required" && (
            <span className={styles["actions"]}>
              <Button onClick={() => onDecide({ portOut: one, kind: "approve" })}>Approve</Button>
              <Button onClick={() => onDecide({ portOut: one, kind: "reject" })}>Reject</Button>
            </span>
          )}
        </>
      ),
    },
  ];
  return <Table caption="Port-outs" columns={columns} rows={portOuts} keyOf={({ id }) => id} />;
}

const URGENT_MS = 2 * 3_600_000;

function Deadline({ at }: { readonly at: string }) {
  const isUrgent = Date.parse(at) - useNow() < URGENT_MS;
  return (
    <span className={isUrgent ? styles["urgent"] : ""}>
      {isUrgent && <span aria-hidden="true">! </span>}
      <Time at={at} form="relative" />
      <span className={styles["under"]}>
        <Time at={at} />
      </span>
    </span>
  );
}

/** The answer about numbers that nobody has here has no account. */
function Account({ account }: Pick<PortOut, "account">) {
  if (account === null) return <>no account</>;
  return <Link href={`/accounts/${account.id}`}>{account.name}</Link>;
}

const FEW = 3;

function Numbers({ portOut }: { readonly portOut: PortOut }) {
  const { phone_numbers: numbers, gaining_carrier: carrier, account } = portOut;
  return (
    <span title={numbers.join(", ")}>
      {numbers.slice(0, FEW).map((number) => (
        <span key={number} className={styles["number"]}>
          {number}
        </span>
      ))}
      {numbers.length > FEW && (
        <span className={styles["under"]}>and {numbers.length - FEW} more</span>
      )}
      <span className={`${styles["under"]} ${styles["narrow"]}`}>
        of <Account account={account} /> to {carrier}, wanted for{" "}
        <Time at={portOut.requested_foc} form="zoned" />
      </span>
    </span>
  );
}

function Status({ portOut: { status, decision } }: { readonly portOut: PortOut }) {
  const { name, tone } = PORT_OUT_WORDS[status];
  return (
    <>
      <Badge tone={tone}>{name}</Badge>
      {decision !== null && (
        <span className={styles["under"]}>
          {decision.code !== null && `${REJECT_CODE_NAMES[decision.code]}. `}
          {decision.reason !== null && <q className={styles["reason"]}>{decision.reason}</q>}{" "}
          {decision.code === null ? "Approved" : "Rejected"} by {DECIDED_BY[decision.by]},{" "}
          <Time at={decision.at} />
        </span>
      )}
    </>
  );
}
