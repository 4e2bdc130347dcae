import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { faultAt, otherFaults } from "../../ui/http/fault-at.ts";
import { Problem } from "../../ui/http/problem.ts";
import { useCommand } from "../../ui/http/use-command.ts";
import { readOf } from "../../ui/http/use-read.ts";
import { FIRST_FOCUS, Modal, ModalActions } from "../../ui/modal.tsx";
import { Facts } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useDraft } from "../../ui/use-draft.ts";
import { decidedText, REJECT_CODE_NAMES } from "./port-out-words.ts";
import styles from "./port-outs.module.css";
import { PORT_OUTS, type PortOut } from "./queries.ts";

export type DecisionKind = "approve" | "reject";

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
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const said = reason.trim() === "" ? {} : { reason: reason.trim() };
    const body = kind === "approve" ? {} : { code, ...said };
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
    <Modal
      title={kind === "approve" ? "Approve the port-out" : "Reject the port-out"}
      onClose={onClose}
    >
      <form className={styles["form"]} onSubmit={submit}>
        <RequestFacts portOut={portOut} />
        <p className={styles["consequence"]}>{consequenceOf(portOut, kind)}</p>
        {kind === "reject" && (
          <>
            <p className={styles["checked"]}>{WHAT_WAS_SENT}</p>
            <Field label="Why" error={faultAt(send.error, "#/code")}>
              {(control) => (
                <select
                  {...control}
                  required
                  value={code}
                  onChange={(event) => setCode(event.target.value)}
                >
                  <option value="" disabled>
                    Choose
                  </option>
                  {Object.entries(REJECT_CODE_NAMES).map(([value, name]) => (
                    <option key={value} value={value}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Field
              label="In words (optional)"
              hint={`${portOut.gaining_carrier} and the customer read this.`}
              error={faultAt(send.error, "#/reason")}
            >
              {(control) => (
                <textarea
                  {...control}
                  rows={3}
                  maxLength={1_000}
                  value={reason}
                  onChange={(event) => write(event.target.value)}
                />
              )}
            </Field>
          </>
        )}
        {isLate ? <TooLate id={portOut.id} /> : <Fault error={send.error} />}
        <ModalActions>
          <Button onClick={onClose} {...FIRST_FOCUS}>
            {isLate ? "Close" : "Do nothing"}
          </Button>
          {!isLate && (
            <Button
              type="submit"
              kind="danger"
              isBusy={send.isPending}
              disabled={kind === "reject" && code === ""}
            >
              {kind === "approve" ? "Let the numbers go" : "Reject"}
            </Button>
          )}
        </ModalActions>
      </form>
    </Modal>
  );
}

/** Not where it is this decision itself that still runs, sent again after no answer came. */
function isConflict(error: Error | null): boolean {
  return (
    error instanceof Problem && error.status === 409 && error.code !== "idempotency_in_progress"
  );
}

/** A request has no more than PortOutUpdate (schemas/port-out-update.avsc), and its PIN is nobody's to see. */
const WHAT_WAS_SENT =
  "The locks and PINs of the numbers were checked when the request arrived. The carrier sends no account number, postal code or subscriber’s name with it: reject for one of these only by what you learned elsewhere.";

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

function Fault({ error }: { readonly error: unknown }) {
  const text = otherFaults(error, ["#/code", "#/reason"]);
  return text === null ? null : <p role="alert">{text}</p>;
}

/** Whose numbers are asked for, by whom and for when: what a decision is about. */
function RequestFacts({ portOut }: { readonly portOut: PortOut }) {
  const { account, phone_numbers: numbers, decision_deadline: deadline } = portOut;
  return (
    <Facts
      facts={[
        ["Account", account?.name ?? "–"],
        [
          numbers.length === 1 ? "Number" : `${numbers.length} numbers`,
          <span className={styles["all"]}>{numbers.join(", ")}</span>,
        ],
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
        ["Request", `${portOut.port_out_ref} by ${portOut.provider}`],
        ["Carrier’s status", portOut.provider_status ?? "–"],
      ]}
    />
  );
}
