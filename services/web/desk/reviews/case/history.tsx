import type { ReactNode } from "react";
import { Link } from "wouter";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/page.tsx";
import { Time } from "../../../ui/time.tsx";
import { nameOf, shortId } from "../labels.ts";
import type { AccountCase, EarlierCase, ReviewCase } from "../types.ts";
import styles from "./case.module.css";

/** What was decided before: about this order, and about others of the account. */
export function History({ review }: { readonly review: ReviewCase }) {
  const { history, account_history: others, order, requirements } = review;
  const nameFor = (slug: string): string => nameOf(requirements, slug);
  return (
    <div className={styles["below"]}>
      <Card title="Earlier attempts of this order">
        {history.length === 0 ? (
          <p className={styles["none"]}>This is the first.</p>
        ) : (
          <ul className={styles["entries"]}>
            {history.map((one) => (
              <Earlier key={one.attempt} one={one} nameFor={nameFor} />
            ))}
          </ul>
        )}
      </Card>
      <Card title={`Other orders of ${order.account.name}`}>
        {others.length === 0 ? (
          <p className={styles["none"]}>
            None that was submitted before this one has been decided.
          </p>
        ) : (
          <ul className={styles["entries"]}>
            {others.map((one) => (
              <Other key={`${one.order_id} ${one.attempt}`} one={one} nameFor={nameFor} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

interface ClosedCaseProps<Case> {
  readonly one: Case;
  readonly nameFor: (slug: string) => string;
}

function Earlier({ one, nameFor }: ClosedCaseProps<EarlierCase>) {
  const rejected = one.decisions.filter(({ decision }) => decision === "reject");
  return (
    <li>
      <Byline one={one} title={`Attempt ${one.attempt}`} isRejected={rejected.length > 0} />
      {rejected.map(({ slug, reason }) => (
        <p key={slug} className={styles["words"]}>
          {nameFor(slug)}: {reason}
        </p>
      ))}
      {one.changed_slugs.length > 0 && (
        <p className={styles["none"]}>Changed: {one.changed_slugs.map(nameFor).join(", ")}</p>
      )}
    </li>
  );
}

function Other({ one, nameFor }: ClosedCaseProps<AccountCase>) {
  return (
    <li>
      <Byline
        one={one}
        title={<Link href={`/reviews/${one.order_id}`}>Order {shortId(one.order_id)}</Link>}
        isRejected={one.rejected.length > 0}
      />
      {one.rejected.map(({ slug, reason }) => (
        <p key={slug} className={styles["words"]}>
          {nameFor(slug)}: {reason}
        </p>
      ))}
    </li>
  );
}

interface BylineProps {
  readonly one: Pick<EarlierCase, "state" | "outcome" | "decided_at" | "decided_by">;
  readonly title: ReactNode;
  readonly isRejected: boolean;
}

function Byline({ one, title, isRejected }: BylineProps) {
  const [tone, text] = resultOf(one, isRejected);
  return (
    <p className={styles["byline"]}>
      <strong>{title}</strong> <Badge tone={tone}>{text}</Badge>{" "}
      {one.decided_by !== null && `${one.decided_by.name}, `}
      {one.decided_at !== null && <Time at={one.decided_at} />}
    </p>
  );
}

function resultOf(
  { state, outcome }: BylineProps["one"],
  isRejected: boolean,
): readonly [Tone, string] {
  if (state === "withdrawn" || outcome === "superseded") return ["neutral", "Cancelled"];
  if (state === "open") return ["info", "Open"];
  return isRejected ? ["bad", "Rejected"] : ["good", "Approved"];
}
