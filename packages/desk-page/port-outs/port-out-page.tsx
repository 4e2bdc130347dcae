import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../ui/button.tsx";
import { CommentsCard } from "../../ui/comments/comments-card.tsx";
import { CopiedId } from "../../ui/copy.tsx";
import { readOf, useList } from "../../ui/http/read.ts";
import { withQuery } from "../../ui/http/request.ts";
import { Table } from "../../ui/list.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import { DataView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { deliveryColumns } from "../../ui/webhooks/delivery-list.tsx";
import { numberPath, type Delivery } from "../orders/orders.ts";
import type { ScreenProps } from "../screens.tsx";
import { useMay } from "../session.ts";
import type { DecisionKind } from "../../ui/port-outs/decision-form.tsx";
import { EnteredEndings } from "./enter-port-out.tsx";
import { DecisionDialog, PortOutStatus, requestFactsOf } from "./port-outs-page.tsx";
import { PORT_OUTS, type PortOut } from "./port-outs.ts";

const LOOK_AGAIN_MS = 5_000;

/** Another carrier's request: what it asks for, what was decided, who was told. */
export default function PortOutPage({ params: { id = "" } }: ScreenProps) {
  // What the desk enters, and what carriers and customers do, shows in a moment.
  const portOut = useQuery({
    ...readOf<PortOut>("port-outs", `${PORT_OUTS}/${id}`),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return <DataView query={portOut}>{(found) => <OnePortOut portOut={found} />}</DataView>;
}

function OnePortOut({ portOut }: { readonly portOut: PortOut }) {
  const { id, status, account, phone_numbers: numbers, gaining_carrier: carrier } = portOut;
  const [kind, setKind] = useState<DecisionKind | null>(null);
  const isLead = useMay("lead");
  const isReviewer = useMay("reviewer");
  const mayDecide = isLead && status === "decision_required";
  const isEntered = isLead && portOut.provider === "manual" && account !== null;
  return (
    <Page
      title={`Port-out to ${carrier}`}
      actions={
        <>
          {mayDecide && <Button onClick={() => setKind("approve")}>Approve</Button>}
          {mayDecide && <Button onClick={() => setKind("reject")}>Reject</Button>}
          {isEntered && <EnteredEndings portOut={portOut} />}
        </>
      }
    >
      <Card>
        <div>
          <PortOutStatus portOut={portOut} />
        </div>
        <Facts
          facts={[
            ...requestFactsOf(portOut),
            [
              "Account",
              account === null ? "–" : <Link href={`/accounts/${account.id}`}>{account.name}</Link>,
            ],
            ["Port date", <Time key="foc" at={portOut.foc_actual} form="zoned" />],
            ["Arrived", <Time key="made" at={portOut.created_at} />],
            ["Last change", <Time key="changed" at={portOut.updated_at} form="past" />],
            ["Id", <CopiedId key="id" value={id} what="the port-out’s id" />],
            ...(account === null
              ? []
              : [
                  [
                    "Actions",
                    <Link key="audit" href={`/audit?account_id=${account.id}`}>
                      Audit log
                    </Link>,
                  ] as const,
                ]),
          ]}
        />
      </Card>
      <Card title={numbers.length === 1 ? "Number" : `${numbers.length} numbers`}>
        <ul>
          {numbers.map((number) => (
            <li key={number}>
              <Link href={numberPath(number)}>{number}</Link>
            </li>
          ))}
        </ul>
      </Card>
      {account !== null && (
        <CommentsCard
          side="desk"
          subject="port-outs"
          path={`${PORT_OUTS}/${id}`}
          mayWrite={isReviewer}
        />
      )}
      {account !== null && <Deliveries accountId={account.id} portOut={portOut} />}
      {kind !== null && <DecisionDialog {...{ portOut, kind }} onClose={() => setKind(null)} />}
    </Page>
  );
}

const DELIVERIES = deliveryColumns();
const EVENTS = ["port_out.created", "port_out.status_changed"];
const MOST = 250;

/** The account's webhooks about port-outs since this one arrived, of which those about it are shown. */
function Deliveries({ accountId, portOut }: { accountId: string; portOut: PortOut }) {
  const query = { account_id: accountId, event_type: EVENTS, created_after: portOut.created_at };
  const path = withQuery("/desk/v1/deliveries", { ...query, order: "asc", limit: MOST });
  const list = useList<Delivery>("port-outs", path);
  return (
    <Card title="Deliveries">
      <DataView query={list}>
        {({ data, has_more: hasMore }) => {
          const own = data.filter(({ payload }) => JSON.stringify(payload).includes(portOut.id));
          return (
            <>
              {own.length === 0 ? (
                <p className="muted">No webhook about it was found.</p>
              ) : (
                <Table
                  caption="Deliveries"
                  columns={DELIVERIES}
                  rows={own}
                  keyOf={({ id }) => id}
                />
              )}
              {hasMore && (
                <p className="muted">
                  Only the account’s first {MOST} webhooks about port-outs since then were looked
                  through.
                </p>
              )}
            </>
          );
        }}
      </DataView>
    </Card>
  );
}
