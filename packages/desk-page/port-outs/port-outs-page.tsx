import { useState, type ReactNode } from "react";
import { Link } from "wouter";
import { useQuery } from "@tanstack/react-query";
import { REJECT_CODE_TITLES } from "../../../services/domain/port-out/rules/rejection-codes.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { readOf } from "../../ui/http/read.ts";
import { otherFaults, Problem } from "../../ui/http/request.ts";
import { ROW_LINK, useRowKeys } from "../../ui/keys.ts";
import {
  ChoiceFilter,
  FilterChip,
  Filters,
  ListSummary,
  ListView,
  useUrlFilters,
  WholeFilter,
  type Column,
} from "../../ui/list.tsx";
import { FormModal } from "../../ui/modal.tsx";
import { Facts, Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time, useNow } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { useMay } from "../session.ts";
import { useBulkDecisions } from "./bulk-decisions.tsx";
import {
  DECISION_VERBS,
  decisionBody,
  RejectFields,
  type DecisionKind,
} from "../../ui/port-outs/decision-form.tsx";
import styles from "./port-outs.module.css";
import { DECIDED_BY, decidedText, PORT_OUTS, usePortOuts, type PortOut } from "./port-outs.ts";
import { PORT_OUT_WORDS, requesterFacts } from "../../ui/port-outs/port-out-words.ts";
import { EnterPortOut } from "./enter-port-out.tsx";
import { SavedViews } from "../views/saved-views.tsx";

interface Asked {
  readonly portOut: PortOut;
  readonly kind: DecisionKind;
}

const MOST_URGENT = { by: "deadline", order: "asc" } as const;

/** What other carriers ask for, the most urgent first. */
export default function PortOutsPage() {
  const url = useUrlFilters(["status", "number", "account"], MOST_URGENT);
  const { filters, of, change, isFiltered } = url;
  const [asked, setAsked] = useState<Asked | null>(null);
  // A number is looked for whatever became of it.
  const isUrgent = filters.status === "" && filters.number === "";
  const { order, starting_after } = url.page;
  const list = usePortOuts({
    status: filters.status === "any" ? "" : filters.status,
    phone_number: filters.number,
    account_id: filters.account,
    order_by: isUrgent ? "deadline" : "",
    order: isUrgent ? order : "",
    starting_after,
  });
  const { selecting, bar } = useBulkDecisions(list.page.data?.data ?? []);
  const mayDecide = useMay("lead");
  useRowKeys();
  return (
    <Page title="Port-outs" actions={mayDecide && <EnterPortOut />}>
      <SavedViews screen="port-outs" />
      <Filters label="Filter the port-outs" url={url}>
        <ChoiceFilter
          label="Status"
          value={isUrgent ? "" : filters.status || "any"}
          any="To decide, by deadline"
          options={[
            ["any", "Any status, newest first"],
            ...Object.entries(PORT_OUT_WORDS).map(([status, { name }]) => [status, name] as const),
          ]}
          onChange={(status) => change(status === "" ? { status, number: "" } : { status })}
        />
        <WholeFilter label="Number" type="tel" placeholder="+12125550123" {...of("number")} />
        {filters.account !== "" && (
          <FilterChip
            label="One account: show all accounts"
            onRemove={() => change({ account: "" })}
          >
            One account
          </FilterChip>
        )}
      </Filters>
      <ListView
        query={list.page}
        summary={
          <ListSummary list={list} one="port-out">
            {bar}
          </ListSummary>
        }
        selecting={selecting}
        {...(isUrgent ? { sorting: url.sorting } : {})}
        caption="Port-outs"
        columns={columnsFor(mayDecide ? setAsked : null)}
        keyOf={({ id }) => id}
        empty={<NoPortOuts isUrgent={!isFiltered} />}
      />
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

/** `onDecide` is null for whom may not decide. */
function columnsFor(onDecide: ((asked: Asked) => void) | null): readonly Column<PortOut>[] {
  return [
    {
      title: "Deadline",
      sort: "deadline",
      cell: ({ decision_deadline: at }) => (at === null ? "–" : <Deadline at={at} />),
    },
    {
      title: "Numbers",
      cell: (one) => <Numbers portOut={one} />,
      copies: ["the port-out’s id", ({ id }) => id],
    },
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
          <PortOutStatus portOut={one} />
          {onDecide !== null && one.status === "decision_required" && (
            <span className={styles["actions"]}>
              <Button onClick={() => onDecide({ portOut: one, kind: "approve" })}>Approve</Button>
              <Button onClick={() => onDecide({ portOut: one, kind: "reject" })}>Reject</Button>
            </span>
          )}
        </>
      ),
    },
  ];
}

const URGENT_MS = 2 * 3_600_000;

function Deadline({ at }: { readonly at: string }) {
  const isUrgent = Date.parse(at) - useNow() < URGENT_MS;
  return (
    <span className={isUrgent ? styles["urgent"] : ""}>
      {isUrgent && <span aria-hidden="true">! </span>}
      <Time at={at} form="relative" />
      <span className="under">
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
      <Link {...ROW_LINK} href={`/port-outs/${portOut.id}`}>
        {numbers.slice(0, FEW).map((number) => (
          <span key={number} className={styles["number"]}>
            {number}
          </span>
        ))}
      </Link>
      {numbers.length > FEW && <span className="under">and {numbers.length - FEW} more</span>}
      <span className={`under ${styles["narrow"]}`}>
        of <Account account={account} /> to {carrier}, wanted for{" "}
        <Time at={portOut.requested_foc} form="zoned" />
      </span>
    </span>
  );
}

export function PortOutStatus({ portOut }: { readonly portOut: PortOut }) {
  const { status, decision, unanswered_comment_at: unanswered } = portOut;
  const { name, tone } = PORT_OUT_WORDS[status];
  return (
    <>
      <Badge tone={tone}>{name}</Badge>{" "}
      {unanswered !== null && <Badge tone="warning">Comment</Badge>}
      {decision !== null && (
        <span className="under">
          {decision.code !== null && `${REJECT_CODE_TITLES[decision.code]}. `}
          {decision.reason !== null && <q className={styles["reason"]}>{decision.reason}</q>}{" "}
          {decision.code === null ? "Approved" : "Rejected"} by {DECIDED_BY[decision.by]},{" "}
          <Time at={decision.at} />
        </span>
      )}
    </>
  );
}

interface DecisionDialogProps {
  readonly portOut: PortOut;
  readonly kind: DecisionKind;
  readonly onClose: () => void;
}

/** A decision on the customer's behalf; what follows from it is said before. */
export function DecisionDialog({ portOut, kind, onClose }: DecisionDialogProps) {
  const toasts = useToasts();
  const [code, setCode] = useState("");
  const { text: reason, write } = useDraft(`port-out:${portOut.id}`);
  const send = useCommand<PortOut>({ refreshes: ["port-outs"] });
  const submit = (): void => {
    const body = decisionBody(kind, code, reason);
    send.run(
      { path: `${PORT_OUTS}/${portOut.id}/${kind}`, body },
      {
        onDone: () => {
          write("");
          toasts.done(kind === "approve" ? "The port-out is approved" : "The port-out is rejected");
        },
        whileShown: onClose,
      },
    );
  };
  const isLate = isConflict(send.error);
  return (
    <FormModal
      title={kind === "approve" ? "Approve the port-out" : "Reject the port-out"}
      verb={isLate ? null : DECISION_VERBS[kind]}
      leave={isLate ? "Close" : "Do nothing"}
      kind="danger"
      isBusy={send.isPending}
      isReady={kind === "approve" || code !== ""}
      fault={isLate ? null : otherFaults(send.error, ["#/code", "#/reason"])}
      onSubmit={submit}
      onClose={onClose}
    >
      <RequestFacts portOut={portOut} />
      <p className={styles["consequence"]}>{consequenceOf(portOut, kind)}</p>
      {kind === "reject" && (
        <>
          <p className="small">{WHAT_WAS_SENT}</p>
          <RejectFields
            {...{ code, reason }}
            setCode={setCode}
            setReason={write}
            readBy={`${portOut.gaining_carrier} and the customer read this.`}
            error={send.error}
            codesAt={`${PORT_OUTS}/${portOut.id}/rejection_codes`}
          />
        </>
      )}
      {isLate && <TooLate id={portOut.id} />}
    </FormModal>
  );
}

/** Not where it is this decision itself that still runs, sent again after no answer came. */
function isConflict(error: Error | null): boolean {
  return (
    error instanceof Problem && error.status === 409 && error.code !== "idempotency_in_progress"
  );
}

/** Its PIN is nobody's to see. */
const WHAT_WAS_SENT =
  "The locks and PINs of the numbers were checked when the request arrived. What the carrier states of its customer is shown above: compare it with what you know.";

function consequenceOf(portOut: PortOut, kind: DecisionKind): string {
  const { gaining_carrier: carrier, phone_numbers: numbers } = portOut;
  const what = numbers.length === 1 ? "the number" : `all ${numbers.length} numbers`;
  return kind === "approve"
    ? `${carrier} may take ${what}, and calls then leave the platform. The customer is told, and it cannot be taken back here.`
    : `${carrier} is refused ${what} with the reason below. The customer is told; the carrier may ask again.`;
}

/** Somebody else decided first: who, and what. */
function TooLate({ id }: { readonly id: string }) {
  const { data } = useQuery({
    ...readOf<PortOut>("port-outs", `${PORT_OUTS}/${id}`),
    staleTime: 0,
  });
  return (
    <p role="alert" className={styles["consequence"]}>
      You came too late, and nothing was changed. {data !== undefined && decidedText(data)}
    </p>
  );
}

/** Whose numbers are asked for, by whom and for when: what a decision is about. */
function RequestFacts({ portOut }: { readonly portOut: PortOut }) {
  const { account, phone_numbers: numbers } = portOut;
  return (
    <Facts
      facts={[
        ["Account", account?.name ?? "–"],
        [
          numbers.length === 1 ? "Number" : `${numbers.length} numbers`,
          <span className={styles["all"]}>{numbers.join(", ")}</span>,
        ],
        ...requestFactsOf(portOut),
      ]}
    />
  );
}

export function requestFactsOf(portOut: PortOut): (readonly [string, ReactNode])[] {
  const { decision_deadline: deadline } = portOut;
  return [
    ["Gaining carrier", portOut.gaining_carrier],
    ["Wanted for", <Time at={portOut.requested_foc} form="zoned" />],
    [
      "Decide by",
      <>
        <Time at={deadline} form="zoned" />
        {deadline !== null && (
          <>
            {" ("}
            <Time at={deadline} form="relative" />)
          </>
        )}
      </>,
    ],
    ...requesterFacts(portOut.requester),
    ["Request", `${portOut.port_out_ref} by ${portOut.provider}`],
    ["Carrier’s status", portOut.provider_status ?? "–"],
  ];
}
