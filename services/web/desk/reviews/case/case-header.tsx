import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../../ui/button.tsx";
import { Time } from "../../../ui/time.tsx";
import { keyText } from "../../keys/key-table.ts";
import { useMay } from "../../session/session.ts";
import { orderTitle, wordsOf } from "../labels.ts";
import { unansweredAt } from "../rules/unanswered-comment.ts";
import type { ReviewCase } from "../types.ts";
import styles from "./case.module.css";
import { Assign } from "./assign.tsx";
import { ClaimState } from "./claim-state.tsx";
import { COMMENTS_ID } from "./conversation.tsx";
import { Move } from "./move.tsx";
import { TakeOver } from "./take-over.tsx";
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
  const commentAt = unansweredAt(review);
  const isOthers = state === "open" && holder !== null && !claim.isMine;
  return (
    <header className={styles["header"]}>
      <div className={styles["heading"]}>
        <p className={styles["crumb"]}>
          <Link href={backPath}>Reviews</Link>
        </p>
        <h1>{orderTitle(review.order_id, order.customer_reference)}</h1>
        <p className={styles["about"]}>
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
        <Assign holder={holder} claim={claim} onClose={() => setAsked(null)} />
      )}
    </header>
  );
}
