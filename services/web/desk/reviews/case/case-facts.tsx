import { Card, Facts } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import { wordsOf } from "../labels.ts";
import type { ReviewCase } from "../types.ts";
import styles from "./case.module.css";

interface CaseFactsProps {
  readonly review: ReviewCase;
  /** Shows a value in the document. */
  readonly onFind: (value: string) => void;
}

export function CaseFacts({ review, onFind }: CaseFactsProps) {
  const { order, submitted_at: submittedAt } = review;
  const numbers = order.phone_numbers;
  return (
    <Card title="Order">
      <Facts
        facts={[
          ["Account", order.account.name],
          ["Type", `${order.country_code} ${wordsOf(order.number_type)}`],
          ["Losing carrier", order.losing_carrier ?? "Unknown"],
          ["Requested date", <Time key="foc" at={order.foc_requested} form="zoned" />],
          ["Submitted", <Time key="submitted" at={submittedAt} form="relative" />],
        ]}
      />
      <h3>{numbers.length === 1 ? "Number" : `${numbers.length} numbers`}</h3>
      <ul className={styles["numbers"]}>
        {numbers.map((number) => (
          <li key={number}>
            <button type="button" className={styles["value"]} onClick={() => onFind(number)}>
              {number}
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
