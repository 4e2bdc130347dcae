import { useState } from "react";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import { counted, NUMBER_WORDS } from "../order-words.ts";
import type { Order } from "../queries.ts";
import styles from "./rows.module.css";

const FEW = 10;

/** The numbers with how far each is; many are folded. */
export function NumbersCard({ numbers }: Pick<Order, "numbers">) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? numbers : numbers.slice(0, FEW);
  return (
    <Card title={`Numbers (${summaryOf(numbers)})`}>
      <ul className={styles["rows"]}>
        {shown.map(({ phone_number: number, status, failure_code: code, activated_at: at }) => (
          <li key={number}>
            <span className={styles["main"]}>{number}</span>
            <span className={styles["note"]}>
              {code !== null && code}
              {at !== null && (
                <>
                  live since <Time at={at} />
                </>
              )}
            </span>
            <Badge tone={NUMBER_WORDS[status].tone}>{NUMBER_WORDS[status].name}</Badge>
          </li>
        ))}
      </ul>
      {shown.length < numbers.length && (
        <Button kind="quiet" onClick={() => setIsWhole(true)}>
          Show all {numbers.length}
        </Button>
      )}
    </Card>
  );
}

/** `4` while all stand alike, else `3 active, 1 failed`. */
function summaryOf(numbers: Order["numbers"]): string {
  const counts = Object.entries(NUMBER_WORDS).flatMap(([status, { name }]) => {
    const count = numbers.filter((one) => one.status === status).length;
    return count === 0 ? [] : [{ count, name: name.toLowerCase() }];
  });
  return counts.length === 1
    ? (counted(numbers.length, "number").split(" ")[0] ?? "")
    : counts.map(({ count, name }) => `${count} ${name}`).join(", ");
}
