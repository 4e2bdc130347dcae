import { Card, Facts } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import type { ReviewCase } from "../types.ts";
import styles from "./case.module.css";

interface CaseFactsProps {
  readonly review: ReviewCase;
  /** Shows a value in the document. */
  readonly onFind: (value: string) => void;
}

/** What the heading does not say; short, so that the requirements below stay in sight. */
export function CaseFacts({ review, onFind }: CaseFactsProps) {
  const { order, submitted_at: submittedAt } = review;
  const found = (value: string) => (
    <button key={value} type="button" className={styles["value"]} onClick={() => onFind(value)}>
      {value}
    </button>
  );
  const { losing_carrier: carrier } = order;
  const numbers = order.phone_numbers.map(found);
  const isOne = numbers.length === 1;
  return (
    <Card title="Order">
      <Facts
        facts={[
          ["Losing carrier", carrier === null ? "Unknown" : found(carrier)],
          ["Requested date", <Time key="foc" at={order.foc_requested} form="zoned" />],
          ["Submitted", <Time key="submitted" at={submittedAt} form="past" />],
          ...(isOne ? [["Number", numbers] as const] : []),
        ]}
      />
      {!isOne && (
        <>
          <h3>{numbers.length} numbers</h3>
          <ul className={styles["numbers"]}>
            {numbers.map((number) => (
              <li key={number.key}>{number}</li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}
