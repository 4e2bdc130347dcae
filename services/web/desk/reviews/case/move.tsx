import { Badge } from "../../../ui/badge.tsx";
import { DueClock } from "../queue/due-clock.tsx";
import type { ReviewCase } from "../types.ts";
import styles from "./case.module.css";

/** Who has the move, and by when. */
export function Move({ review }: { readonly review: ReviewCase }) {
  const { state, outcome, due_at: dueAt, requirements } = review;
  if (state === "open") {
    return (
      <p className={styles["move"]}>
        The desk has the move <DueClock at={dueAt} />
      </p>
    );
  }
  if (state === "withdrawn") return <Badge tone="warning">Cancelled by the customer</Badge>;
  if (outcome === "superseded") return <Badge tone="warning">The cancellation came first</Badge>;
  const isRejected = requirements.some(({ status }) => status === "requirement-info-exception");
  return isRejected ? (
    <Badge tone="warning">Rejected: the customer has the move</Badge>
  ) : (
    <Badge tone="good">Approved: the carrier has the move</Badge>
  );
}
