import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextArea } from "../../../ui/field.tsx";
import { useCommand } from "../../../ui/http/command.ts";
import { FormModal } from "../../../ui/modal.tsx";
import { DueClock, Time } from "../../../ui/time.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { useDraft } from "../../../ui/use-draft.ts";
import { keyText } from "../../keys.ts";
import { useMay } from "../../session.ts";
import { AssignDialog } from "../assign-dialog.tsx";
import { handoverText, orderTitle, wordsOf, type ReviewCase } from "../reviews.ts";
import styles from "./case.module.css";
import { COMMENTS_ID } from "./conversation.tsx";
import type { Claim } from "./use-claim.ts";

interface CaseHeaderProps {
  readonly review: ReviewCase;
  readonly claim: Claim;
  readonly backPath: string;
  readonly onRelease: () => void;
  readonly onSkip: () => void;
  readonly isSkipping: boolean;
}

/** Which case it is, who has to act, and who works on it. */
export function CaseHeader(props: CaseHeaderProps) {
  const { review, claim, backPath, onRelease, onSkip, isSkipping } = props;
  const [asked, setAsked] = useState<"take over" | "assign" | null>(null);
  const mayReview = useMay("reviewer");
  const isLead = useMay("lead");
  const { order, claimed_by: holder, state } = review;
  const { unanswered_comment_at: commentAt } = review;
  const isOthers = state === "open" && holder !== null && !claim.isMine;
  return (
    <header className={styles["header"]}>
      <div className={styles["heading"]}>
        <p className="muted">
          <Link href={backPath}>Reviews</Link>
        </p>
        <h1>{orderTitle(review.order_id, order.customer_reference)}</h1>
        <p className="muted">
          {order.account.name} · {order.country_code} {wordsOf(order.number_type)} ·{" "}
          {review.attempt === 1 ? "first attempt" : `attempt ${review.attempt}`} ·{" "}
          <Link href={`/orders/${review.order_id}`}>Order</Link>
          {claim.isMine && state === "open" && review.claimed_until !== null && (
            <>
              {" "}
              · <strong>Claimed by you</strong> until <Time at={review.claimed_until} />
            </>
          )}
        </p>
      </div>
      <div className={styles["acts"]}>
        <Move review={review} />
        {state === "open" && mayReview && holder === null && (
          <Button onClick={claim.claim} isBusy={claim.isBusy}>
            Claim
          </Button>
        )}
        {claim.isMine && (
          <Button onClick={onRelease} hotkey={keyText("release")} isBusy={claim.isBusy}>
            Release
          </Button>
        )}
        {isOthers && isLead && <Button onClick={() => setAsked("take over")}>Take over</Button>}
        {state === "open" && isLead && <Button onClick={() => setAsked("assign")}>Assign</Button>}
        {mayReview && (
          <Button onClick={onSkip} hotkey={keyText("skip")} isBusy={isSkipping}>
            Skip
          </Button>
        )}
      </div>
      {commentAt !== null && (
        <p className={styles["notice"]}>
          The customer wrote <Time at={commentAt} form="past" />, and has no answer:{" "}
          <a href={`#${COMMENTS_ID}`}>comments</a>
          {mayReview && <Seen review={review} />}
        </p>
      )}
      <ClaimState review={review} claim={claim} />
      {asked === "take over" && (
        <TakeOver
          orderId={review.order_id}
          holder={holder?.name ?? ""}
          claim={claim}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === "assign" && (
        <AssignDialog
          title="Assign the case"
          description={`The colleague holds the case then, and sees that you assigned it.${lossOf(holder, claim)}`}
          without={holder?.id ?? null}
          isBusy={claim.isBusy}
          onAssign={(id) => claim.assign(id, () => setAsked(null))}
          onClose={() => setAsked(null)}
        />
      )}
    </header>
  );
}

/** For a comment that needs no answer. */
function Seen({ review }: { readonly review: ReviewCase }) {
  const command = useCommand({ refreshes: ["alerts", "reviews", "orders"] });
  const toasts = useToasts();
  const last = review.comments.findLast(({ author_type: by }) => by === "customer");
  if (last === undefined) return null;
  const path = `/desk/v1/orders/${review.order_id}/comments/seen`;
  return (
    <>
      {" "}
      <Button
        isBusy={command.isPending}
        onClick={() =>
          command.run({ path, body: { comment_id: last.id } }, { onFailed: toasts.failed })
        }
      >
        Needs no answer
      </Button>
    </>
  );
}

function lossOf(holder: ReviewCase["claimed_by"], claim: Claim): string {
  const whose = claim.isMine ? "you have" : `${holder?.name ?? ""} has`;
  return holder === null ? "" : ` What ${whose} not sent is lost.`;
}

/** What stands between the operator and a decision, where it happens; read out by a screen reader. */
function ClaimState({ review, claim }: { review: ReviewCase; claim: Claim }) {
  const { state, claimed_by: holder, claimed_until: until, handover } = review;
  const withdrawnFor = useSecondsSince(state === "withdrawn");
  return (
    <div role="status" className={styles["notices"]}>
      {state === "withdrawn" && (
        <p className={styles["warning"]}>
          The customer cancelled this order
          {withdrawnFor === null ? "" : ` ${withdrawnFor} s ago`}. There is nothing left to decide;
          your verdicts were not sent.
        </p>
      )}
      {state === "open" && holder !== null && !claim.isMine && (
        <p className={styles["warning"]}>
          {holder.name} has claimed this case until <Time at={until} />. You see it read-only.
        </p>
      )}
      {claim.hasLapsed && (
        <p className={styles["warning"]}>
          Your claim has lapsed. Nobody else has the case; your next verdict claims it again.
        </p>
      )}
      {handover !== null && holder !== null && state === "open" && (
        <p className={styles["notice"]}>
          {handoverText(handover, holder)} (<Time at={handover.at} form="past" />)
        </p>
      )}
    </div>
  );
}

/** For how long something has been so; null where it was so from the beginning. */
function useSecondsSince(isSo: boolean): number | null {
  const wasSo = useRef(isSo);
  const [since, setSince] = useState<number | null>(null);
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (!isSo || wasSo.current) return;
    wasSo.current = true;
    setSince(Date.now());
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isSo]);
  return since === null ? null : Math.max(Math.round((now - since) / 1_000), 0);
}

/** Who has to act, and by when. */
function Move({ review }: { readonly review: ReviewCase }) {
  const { state, outcome, due_at: dueAt, requirements } = review;
  if (state === "open") {
    return (
      <p className={styles["move"]}>
        Waiting on the desk, due <DueClock at={dueAt} />
      </p>
    );
  }
  if (state === "withdrawn") return <Badge tone="warning">Cancelled by the customer</Badge>;
  if (outcome === "superseded") return <Badge tone="warning">The cancellation came first</Badge>;
  const isRejected = requirements.some(({ status }) => status === "requirement-info-exception");
  return isRejected ? (
    <Badge tone="warning">Rejected: waiting on the customer</Badge>
  ) : (
    <Badge tone="good">Approved: waiting on the carrier</Badge>
  );
}

interface TakeOverProps {
  readonly orderId: string;
  readonly holder: string;
  readonly claim: Claim;
  readonly onClose: () => void;
}

function TakeOver({ orderId, holder, claim, onClose }: TakeOverProps) {
  const { text: reason, write } = useDraft(`take-over:${orderId}`);
  const onSubmit = (): void =>
    claim.takeOver(reason.trim(), () => {
      write("");
      onClose();
    });
  return (
    <FormModal
      title={`Take the case over from ${holder}`}
      description={`${holder} sees at once who took it and why. What ${holder} has not sent is lost.`}
      verb="Take over"
      isBusy={claim.isBusy}
      isReady={reason.trim() !== ""}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextArea
        label="Why"
        required
        autoFocus
        rows={3}
        maxLength={1_000}
        value={reason}
        onChange={write}
      />
    </FormModal>
  );
}
