import { useEffect, useRef, useState } from "react";
import { Time } from "../../../ui/time.tsx";
import type { ReviewCase } from "../types.ts";
import styles from "./case.module.css";
import { handoverText } from "./handover-text.ts";
import type { Claim } from "./use-claim.ts";

interface ClaimStateProps {
  readonly review: ReviewCase;
  readonly claim: Claim;
}

/** What stands between the operator and a decision, where it happens; read out by a screen reader. */
export function ClaimState({ review, claim }: ClaimStateProps) {
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
