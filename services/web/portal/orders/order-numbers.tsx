import { Badge } from "../../ui/badge.tsx";
import type { Order } from "./order-types.ts";
import { numberWords } from "./order-words.ts";
import styles from "./orders.module.css";

const SHOWN = 20;

/** Each number with how far its move is; of an order with many, the first ones and the rest on demand. */
export function OrderNumbers({ numbers }: Pick<Order, "numbers">) {
  const rest = numbers.slice(SHOWN);
  return (
    <>
      <NumberList numbers={numbers.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary className={styles["muted"]}>{rest.length} more</summary>
          <NumberList numbers={rest} />
        </details>
      )}
    </>
  );
}

function NumberList({ numbers }: Pick<Order, "numbers">) {
  return (
    <ul className={styles["numbers"]}>
      {numbers.map(({ phone_number: number, status, failure_code: failure }) => {
        const [text, tone] = numberWords(status);
        return (
          <li key={number}>
            <span>{number}</span>
            <Badge tone={tone}>{failure === null ? text : `${text}: ${failure}`}</Badge>
          </li>
        );
      })}
    </ul>
  );
}
