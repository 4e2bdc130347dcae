import { Time } from "../../../ui/time.tsx";
import { nextStepOf } from "../next-step.ts";
import type { Order } from "../queries.ts";
import styles from "./next-step-card.module.css";

/** The provider of carriers without an integration: nothing moves its orders but the desk's carrier updates. */
const BY_HAND = "manual";

/** Who must do what by when, before anything else about the order. */
export function NextStepCard({ order }: { readonly order: Order }) {
  const { attention, exceptions, closed_reason: closed } = order;
  const { actor, due_at: due } = order.next_action;
  const { who, what, by } = nextStepOf(order);
  return (
    <section aria-label="Next step" className={`${styles["card"]} ${styles[actor]}`}>
      <p className={styles["step"]}>
        {actor === "none" ? (
          "The order has ended."
        ) : (
          <>
            <strong>{who}</strong> {what}
          </>
        )}
        {by !== null && (
          <span className={styles["due"]}>
            {by} <Time at={due} /> (<Time at={due} form="relative" />)
          </span>
        )}
      </p>
      {order.provider === BY_HAND && actor === "carrier" && (
        <p className={styles["side"]}>
          No program talks to this carrier: call or write, and record what it said.
        </p>
      )}
      {attention !== null && (
        <p className={styles["attention"]}>
          <span aria-hidden="true">! </span>
          {attention.reason} <Time at={attention.raised_at} form="past" />
        </p>
      )}
      {closed !== null && <p>{closed.detail}</p>}
      {exceptions.length > 0 && (
        <ul className={styles["exceptions"]}>
          {exceptions.map(({ code, detail, slug, raised_by: side }) => (
            <li key={`${slug} ${code} ${detail}`}>
              <strong>{nameOf(order, slug) ?? code ?? "Rejected"}</strong>: {detail}{" "}
              <span className={styles["side"]}>found by the {side}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function nameOf({ requirements }: Order, slug: string | null): string | null {
  return requirements.find((one) => one.slug === slug)?.name ?? null;
}
