import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CommentsCard } from "../../ui/comments/comments-card.tsx";
import { CopiedId } from "../../ui/copy.tsx";
import { useCommand } from "../../ui/http/command.ts";
import { readOf } from "../../ui/http/read.ts";
import { otherFaults } from "../../ui/http/request.ts";
import { FormModal } from "../../ui/modal.tsx";
import { Card, Facts, Page } from "../../ui/page.tsx";
import {
  DECISION_VERBS,
  decisionBody,
  RejectFields,
  type DecisionKind,
} from "../../ui/port-outs/decision-form.tsx";
import { PORT_OUT_WORDS, requesterFacts } from "../../ui/port-outs/port-out-words.ts";
import { DataView } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { numberPath } from "../numbers/numbers.ts";
import { decisionText, LOOK_AGAIN_MS, outcomeText, PORT_OUTS, type PortOut } from "./port-outs.ts";

export default function PortOutPage({ id }: { readonly id: string }) {
  const query = useQuery({
    ...readOf<PortOut>("port-outs", `${PORT_OUTS}/${id}`),
    refetchInterval: LOOK_AGAIN_MS,
  });
  return <DataView query={query}>{(portOut) => <Shown portOut={portOut} />}</DataView>;
}

function Shown({ portOut }: { readonly portOut: PortOut }) {
  const { id, status, phone_numbers: numbers, decision, decision_deadline: deadline } = portOut;
  const [kind, setKind] = useState<DecisionKind | null>(null);
  const isOpen = status === "decision_required";
  const { name, tone } = PORT_OUT_WORDS[status];
  return (
    <Page
      title={`Port-out to ${portOut.gaining_carrier}`}
      actions={
        isOpen && (
          <>
            <Button onClick={() => setKind("approve")}>Approve</Button>
            <Button onClick={() => setKind("reject")}>Reject</Button>
          </>
        )
      }
    >
      <Card>
        <div>
          <Badge tone={tone}>{name}</Badge>
        </div>
        {isOpen && deadline !== null && (
          <h2>
            Decide by <Time at={deadline} form="zoned" /> (<Time at={deadline} form="relative" />)
          </h2>
        )}
        <p>{outcomeText(portOut)}</p>
        <Facts
          facts={[
            ["Gaining carrier", portOut.gaining_carrier],
            ["Wanted for", <Time key="wanted" at={portOut.requested_foc} form="zoned" />],
            ["Port date", <Time key="date" at={portOut.foc_actual} form="zoned" />],
            ...requesterFacts(portOut.requester),
            ["Arrived", <Time key="arrived" at={portOut.created_at} />],
            ...(decision === null
              ? []
              : [
                  ["Decision", decisionText(portOut)] as const,
                  ["Decided", <Time key="decided" at={decision.at} />] as const,
                  ["In words", decision.reason ?? "–"] as const,
                ]),
            ["Id", <CopiedId key="id" value={id} what="the port-out’s id" />],
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
      <CommentsCard side="customer" subject="port-outs" path={`${PORT_OUTS}/${id}`} />
      {kind !== null && <DecisionDialog {...{ portOut, kind }} onClose={() => setKind(null)} />}
    </Page>
  );
}

interface DecisionDialogProps {
  readonly portOut: PortOut;
  readonly kind: DecisionKind;
  readonly onClose: () => void;
}

/** What follows from a decision is said before it is made. */
function DecisionDialog({ portOut, kind, onClose }: DecisionDialogProps) {
  const { id, gaining_carrier: carrier, phone_numbers: numbers } = portOut;
  const [code, setCode] = useState("");
  const { text: reason, write } = useDraft(`port-out:${id}`);
  const send = useCommand<PortOut>({ refreshes: ["port-outs", "numbers"] });
  const toasts = useToasts();
  const what = numbers.length === 1 ? numbers[0] : `all ${numbers.length} numbers`;
  const onSubmit = (): void =>
    send.run(
      { path: `${PORT_OUTS}/${id}/${kind}`, body: decisionBody(kind, code, reason) },
      {
        onDone: () => {
          write("");
          toasts.done(`The port-out is ${kind === "approve" ? "approved" : "rejected"}`);
        },
        whileShown: onClose,
      },
    );
  return (
    <FormModal
      title={kind === "approve" ? "Let the numbers go?" : "Reject the port-out?"}
      description={
        kind === "approve"
          ? `${carrier} may take ${what}. Calls leave us on the port date, and this cannot be taken back.`
          : `${carrier} is refused ${what} with the reason below, and may ask again.`
      }
      verb={DECISION_VERBS[kind]}
      leave="Do nothing"
      kind="danger"
      isBusy={send.isPending}
      isReady={kind === "approve" || code !== ""}
      fault={otherFaults(send.error, ["#/code", "#/reason"])}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {kind === "reject" && (
        <RejectFields
          {...{ code, reason }}
          setCode={setCode}
          setReason={write}
          readBy={`${carrier} reads this.`}
          error={send.error}
          codesAt={`${PORT_OUTS}/${id}/rejection_codes`}
        />
      )}
    </FormModal>
  );
}
