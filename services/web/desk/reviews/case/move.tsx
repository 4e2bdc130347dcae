import { Badge } from "../../../ui/badge.tsx";
import { DueClock } from "../queue/due-clock.tsx";
import type { ReviewCase } from "../types.ts";
import styles from "./case.module.css";

/** Who has to act, and by when. */
export function Move({ review }: { readonly review: ReviewCase }) {
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
