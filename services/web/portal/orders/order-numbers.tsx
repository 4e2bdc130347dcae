import { Badge } from "../../ui/badge.tsx";
import type { Order } from "./order-types.ts";
import { numberWords } from "./order-words.ts";
import styles from "./orders.module.css";

/** Each number with how far its move is. */
export function OrderNumbers({ numbers }: Pick<Order, "numbers">) {
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
