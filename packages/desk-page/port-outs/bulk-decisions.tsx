import { useState } from "react";
import { BulkBar, useBulk } from "../../ui/bulk.tsx";
import { Button } from "../../ui/button.tsx";
import { counted } from "../../ui/list-rules.ts";
import { FormModal } from "../../ui/modal.tsx";
import { useSelection } from "../../ui/selection.tsx";
import { useMay } from "../session.ts";
import {
  DECISION_VERBS,
  decisionBody,
  RejectFields,
  type DecisionKind,
} from "../../ui/port-outs/decision-form.tsx";
import styles from "./port-outs.module.css";
import { PORT_OUTS, type PortOut } from "./port-outs.ts";

const WORDS = {
  approve: { verb: "Approve", done: "approved" },
  reject: { verb: "Reject", done: "rejected" },
} as const;

/** The selected port-outs, and one decision on all of them. */
export function useBulkDecisions(rows: readonly PortOut[]) {
  const selection = useSelection(rows.map(({ id }) => id));
  const [kind, setKind] = useState<DecisionKind | null>(null);
  const mayDecide = useMay("lead");
  const nameOf = ({ phone_numbers: [first = ""], gaining_carrier: carrier }: PortOut): string =>
    `${first} to ${carrier}`;
  const nameOfId = (id: string): string => {
    const row = rows.find((one) => one.id === id);
    return row === undefined ? id : nameOf(row);
  };
  const refreshes = ["port-outs"];
  const bulk = useBulk({ selection, one: "port-out", nameOf: nameOfId, refreshes });
  return {
    selecting: mayDecide ? { selection, nameOf } : undefined,
    bar: (
      <>
        <BulkBar selection={selection}>
          <Button onClick={() => setKind("approve")}>Approve</Button>
          <Button onClick={() => setKind("reject")}>Reject</Button>
        </BulkBar>
        {kind !== null && (
          <BulkDecision
            kind={kind}
            count={selection.selected.length}
            onDecide={(body) => {
              setKind(null);
              const pathOf = (id: string): string => `${PORT_OUTS}/${id}/${kind}`;
              const commandFor = (id: string) => ({ path: pathOf(id), body });
              bulk.start({ ...WORDS[kind], commandFor });
            }}
            onClose={() => setKind(null)}
          />
        )}
        {bulk.dialog}
      </>
    ),
  };
}

interface BulkDecisionProps {
  readonly kind: DecisionKind;
  readonly count: number;
  readonly onDecide: (body: Readonly<Record<string, string>>) => void;
  readonly onClose: () => void;
}

/** What follows from the decision is said before it is made. */
function BulkDecision({ kind, count, onDecide, onClose }: BulkDecisionProps) {
  const [code, setCode] = useState("");
  const [reason, setReason] = useState("");
  return (
    <FormModal
      title={`${WORDS[kind].verb} ${counted(count, "port-out")}`}
      verb={DECISION_VERBS[kind]}
      leave="Do nothing"
      kind="danger"
      isReady={kind === "approve" || code !== ""}
      onSubmit={() => onDecide(decisionBody(kind, code, reason))}
      onClose={onClose}
    >
      <p className={styles["consequence"]}>
        {kind === "approve"
          ? "The carriers that asked may take all these numbers, and calls then leave the platform. The customers are told, and it cannot be taken back here."
          : "The carriers that asked are refused all these numbers for the reason below. The customers are told; the carriers may ask again."}
      </p>
      {kind === "reject" && (
        <RejectFields
          {...{ code, reason }}
          setCode={setCode}
          setReason={setReason}
          readBy="The carriers and the customers read this."
        />
      )}
    </FormModal>
  );
}
