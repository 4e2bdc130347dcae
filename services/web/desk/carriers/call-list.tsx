import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Time } from "../../ui/time.tsx";
import { numbersTitle, STATUS_WORDS } from "../orders/order-words.ts";
import type { Call } from "./calls.ts";
import styles from "./carriers.module.css";
import { ContactFacts } from "./contact-facts.tsx";

/** Orders that a person has to call a carrier about, with whom to ask for. */
export function CallList({ calls }: { readonly calls: readonly Call[] }) {
  if (calls.length === 0) {
    return (
      <p className={styles["none"]}>
        No order waits for a call. One appears here while it waits for a carrier without an
        integration, except before its confirmed FOC date, and when its carrier is silent or late.
      </p>
    );
  }
  return (
    <ul className={styles["calls"]}>
      {calls.map(({ order, contact, isOpen }) => (
        <li key={order.id}>
          <div className={styles["what"]}>
            <p>
              <Link href={`/orders/${order.id}`}>
                {numbersTitle(order.first_number, order.numbers_count)}
              </Link>{" "}
              <span className={styles["muted"]}>
                {order.account.name} · {STATUS_WORDS[order.status].name}
                {order.customer_reference !== "" && ` · ${order.customer_reference}`}
              </span>
            </p>
            <p>{order.reason}</p>
            <p className={styles["muted"]}>
              Waiting since <Time at={order.waiting_since} />
              {order.foc_actual !== null && (
                <>
                  {" "}
                  · port date <Time at={order.foc_actual} form="zoned" />
                </>
              )}
            </p>
          </div>
          <div className={styles["whom"]}>
            <p>
              <strong>{order.losing_carrier ?? "Carrier not known"}</strong>{" "}
              {isOpen !== null && (
                <Badge tone={isOpen ? "good" : "neutral"}>{isOpen ? "Open now" : "Closed"}</Badge>
              )}
            </p>
            <ContactFacts contact={contact} />
            <Link href={`/orders/${order.id}?update`}>Record what it said</Link>
          </div>
        </li>
      ))}
    </ul>
  );
}
